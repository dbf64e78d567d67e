package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reports in a real browser, light and dark: they ask for nothing on a network,
// their script has no error, every chart is drawn, and the colors are those of the
// scheme. SCREENSHOTS=dir keeps the pictures.
func TestReportsInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("BROWSER") == "required" {
			t.Fatal(err)
		}
		t.Skip("there is no chromium: make browser installs it")
	}
	dir := t.TempDir()
	reports := map[string]string{
		"run":      "run -requests 200000 -keys 1000 -limit token:100/s,burst=200",
		"replay":   "replay " + smallLog + " -limit token:60/m,burst=20 -limit counter:30/m",
		"suggest":  "suggest " + smallLog,
		"boundary": "demo boundary",
	}
	for name, args := range reports {
		file := filepath.Join(dir, name+".html")
		code, _, errs := call(newEngine, "", append(strings.Fields(args), "-html", file)...)
		require.Zero(t, code, errs)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"), chromedp.WindowSize(1280, 1600))
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	for name := range reports {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				shot := look(t, allocator, "file://"+filepath.Join(dir, name+".html"), scheme)
				if keep := os.Getenv("SCREENSHOTS"); keep != "" {
					require.NoError(t, os.WriteFile(filepath.Join(keep, name+"-"+scheme+".png"), shot, 0o644))
				}
				picture, err := png.Decode(bytes.NewReader(shot))
				require.NoError(t, err)
				background := lightness(picture.At(2, 2))
				if scheme == "light" {
					assert.Greater(t, background, 0.8)
				} else {
					assert.Less(t, background, 0.25)
				}
				assert.Greater(t, colors(picture), 40, "it is not empty")
			})
		}
	}
}

// look opens a page and returns its screenshot.
func look(t *testing.T, allocator context.Context, url, scheme string) (shot []byte) {
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var faults []string
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			faults = append(faults, e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			faults = append(faults, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; u != url && !strings.HasPrefix(u, "data:") {
				faults = append(faults, "asks for "+u)
			}
		}
	})
	var charts, drawn, scrolls int
	require.NoError(t, chromedp.Run(ctx,
		network.Enable(), log.Enable(),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate(url),
		chromedp.WaitVisible("canvas", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelectorAll("canvas").length`, &charts),
		// A canvas is drawn when some pixel of it is not transparent.
		chromedp.Evaluate(`[...document.querySelectorAll("canvas")].filter(c =>
			c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(x => x > 0)).length`, &drawn),
		chromedp.Evaluate(`Math.max(0, document.documentElement.scrollWidth - innerWidth)`, &scrolls),
		chromedp.FullScreenshot(&shot, 100),
	))
	assert.Empty(t, faults)
	assert.Positive(t, charts)
	assert.Equal(t, charts, drawn, "charts that are drawn")
	assert.Zero(t, scrolls, "it fits the window's width")
	return shot
}

// lightness is from 0, black, to 1.
func lightness(c color.Color) float64 {
	return float64(color.Gray16Model.Convert(c).(color.Gray16).Y) / 0xffff
}

// colors counts the different ones of every fourth pixel.
func colors(m image.Image) int {
	seen := map[color.Color]bool{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y += 2 {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x += 2 {
			seen[m.At(x, y)] = true
		}
	}
	return len(seen)
}
