"use strict";
// Draws the charts of the page, again whenever the theme or the width changes.
// #dark and #light in the address choose the theme; otherwise the reader's own.
const root = document.documentElement;
const wanted = matchMedia("(prefers-color-scheme: dark)");
let chosen = { "#dark": true, "#light": false }[location.hash];

const color = name => getComputedStyle(root).getPropertyValue("--" + name).trim();
const roleColor = role => color(/^\d+$/.test(role) ? "c" + ((role - 1) % 6 + 1) : role);

function scaled(v, units) {
  for (const [size, name] of units) {
    if (Math.abs(v) >= size) return +(v / size).toPrecision(3) + name;
  }
  return +v.toPrecision(3) + units[units.length - 1][1];
}
const formats = {
  "": v => scaled(v, [[1e9, " G"], [1e6, " M"], [1e3, " k"], [1, ""]]),
  "%": v => +v.toPrecision(3) + " %",
  bytes: v => scaled(v, [[1e9, " GB"], [1e6, " MB"], [1e3, " kB"], [1, " B"]]),
  ns: v => scaled(v, [[1e9, " s"], [1e6, " ms"], [1e3, " µs"], [1, " ns"]]),
  s: v => v >= 7200 ? +(v / 3600).toPrecision(3) + " h" : v >= 180 ? +(v / 60).toPrecision(3) + " min" : +v.toPrecision(4) + " s",
};
// seconds are ticks of an axis, in the largest unit of which all are whole.
function seconds(vs) {
  const [size, name] = [[3600, " h"], [60, " min"], [1, " s"]].find(([n]) => n == 1 || Math.max(...vs) >= n && vs.every(v => v % n == 0));
  return vs.map(v => v == null ? "" : +(v / size).toPrecision(6) + name);
}
const format = unit => (u, v) => v == null ? "–" : formats[unit](v);

function axis(a, x, small) {
  const powers = (u, splits) => splits.map(v => v != null && /^1(e[+-]?\d+)?$/.test(v.toExponential().replace(/e\+0$/, "")) ? v : null);
  return {
    stroke: color("soft"), grid: { stroke: color("line"), width: 1, ...(a.log ? { filter: powers } : {}) },
    ticks: { stroke: color("line"), width: 1, ...(a.log ? { filter: powers } : {}) },
    font: "12px system-ui, sans-serif", ...(a.label ? { label: a.label, labelFont: "12px system-ui, sans-serif", labelSize: 18 } : {}),
    size: x ? 30 : small ? 34 : 64, values: (u, vs) => a.unit == "s" ? seconds(vs) : vs.map(v => v == null ? "" : formats[a.unit](v)),
    ...(x ? { space: small ? 40 : 70, ...(a.label === "rank" ? { incrs: [1, 2, 5, 10, 20, 50] } : {}) } : {}),
  };
}

function series(s) {
  const stroke = roleColor(s.role);
  const out = { label: s.name, stroke, width: s.width || 1.75, points: { show: false }, spanGaps: s.kind === "line" };
  switch (s.kind) {
    case "area": out.fill = stroke + "38"; break;
    case "steps": out.paths = uPlot.paths.stepped({ align: 1 }); break;
    case "bars": out.paths = uPlot.paths.bars({ size: [0.85, 60] }); out.fill = stroke; out.width = 0; break;
    case "dashed": out.dash = [6, 4]; break;
    case "dashed steps": out.dash = [6, 4]; out.paths = uPlot.paths.stepped({ align: 1 }); break;
    case "points": out.paths = () => null; out.points = { show: true, size: 6, fill: stroke, stroke }; break;
  }
  return out;
}

// marks draws a line and a name where each phase begins.
function marks(list) {
  return u => {
    const g = u.ctx, ratio = devicePixelRatio;
    g.save();
    g.textAlign = "left"; g.setLineDash([]);
    g.font = 11 * ratio + "px system-ui, sans-serif";
    let free = -Infinity;
    for (const m of list) {
      const x = u.valToPos(m.at, "x", true);
      if (x < u.bbox.left - 1 || x > u.bbox.left + u.bbox.width) continue;
      g.strokeStyle = color("soft"); g.globalAlpha = 0.5; g.lineWidth = ratio;
      g.beginPath(); g.moveTo(x, u.bbox.top); g.lineTo(x, u.bbox.top + u.bbox.height); g.stroke();
      if (x < free) continue;
      g.globalAlpha = 1; g.fillStyle = color("soft");
      g.fillText(m.name, x + 4 * ratio, u.bbox.top + 11 * ratio);
      free = x + g.measureText(m.name).width + 12 * ratio;
    }
    g.restore();
  };
}

// padded leaves room for half a bar at both ends.
function padded(c) {
  if (c.x.log || c.at.length < 2 || !c.series.some(s => s.kind === "bars")) return {};
  const half = (c.at[1] - c.at[0]) / 2;
  return { range: (u, low, high) => [low - half, high + half] };
}

function draw(place, c) {
  const u = new uPlot({
    width: place.clientWidth, height: c.group ? 150 : 280,
    legend: { show: !c.group }, cursor: { drag: { x: true, y: false } },
    padding: [14, c.group ? 14 : 18, 0, 0],
    scales: {
      x: { time: false, distr: c.x.log ? 3 : 1, ...padded(c) },
      y: c.y.log ? { distr: 3 } : { range: (u, low, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [axis(c.x, true, c.group), axis(c.y, false, c.group)],
    series: [{ label: c.x.label, value: format(c.x.unit) }, ...c.series.map(s => ({ ...series(s), value: format(c.y.unit) }))],
    hooks: { draw: c.marks ? [marks(c.marks)] : [] },
  }, [c.at, ...c.series.map(s => s.values)], place);
  return u;
}

function element(name, parent, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text) e.textContent = text;
  parent.append(e);
  return e;
}

const places = [];
const groups = {};
for (const c of charts || []) {
  let parent = document.getElementById("charts");
  if (c.group) {
    if (!groups[c.group]) {
      groups[c.group] = element("div", parent, "card group");
      element("h2", groups[c.group], "", c.group);
    }
    parent = groups[c.group];
  }
  const card = element("div", parent, c.group ? "plain" : "card");
  element(c.group ? "h3" : "h2", card, "", c.title);
  if (c.note) element("p", card, "note", c.note);
  places.push([element("div", card), c]);
}

let plots = [];
function redraw() {
  root.classList.toggle("dark", chosen ?? wanted.matches);
  plots.forEach(u => u.destroy());
  plots = places.map(([place, c]) => draw(place, c));
  root.dataset.drawn = plots.length;
}
document.getElementById("theme").onclick = () => { chosen = !root.classList.contains("dark"); redraw(); };
wanted.onchange = redraw;
let resized;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(redraw, 100); });
redraw();
