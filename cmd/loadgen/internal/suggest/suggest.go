package suggest

import (
	"context"
	"math"
	"time"

	"github.com/limit64/limit64/bucket"
)

// Target is what a limit may refuse.
type Target struct {
	// Share is the largest share, from 0 to 1, of the clients, or of the requests.
	Share    float64 `json:"share"`
	Requests bool    `json:"of_requests"`
}

// met says whether a log with so many refusals is within the target.
func (t Target) met(l *Log, r Refusals) bool {
	if t.Requests {
		return float64(r.Requests) <= t.Share*float64(l.Requests)
	}
	return float64(r.Clients) <= t.Share*float64(l.Clients())
}

// Result is what a log suggests.
type Result struct {
	Requests    int64         `json:"requests"`
	Clients     int           `json:"clients"`
	Span        time.Duration `json:"span_ns"`
	Target      Target        `json:"target"`
	Interrupted bool          `json:"interrupted"`
	Suggestions []Suggestion  `json:"suggestions"`
}

// Suggestion is the smallest limit of an algorithm that meets the target. A limit
// of one token less does not.
type Suggestion struct {
	Limit   bucket.Limit `json:"limit"`
	Refuses Refusals     `json:"refuses"`
	// Nobody is the smallest limit that refuses nothing at all.
	Nobody bucket.Limit `json:"nobody"`
	// Curve is what smaller and larger limits refuse, at the same tokens for all
	// algorithms of a period.
	Curve []Point `json:"curve"`
}

// Point is one limit of a trade-off curve; its burst is its tokens.
type Point struct {
	Tokens int64 `json:"tokens"`
	Refusals
}

var algorithms = []bucket.Algorithm{
	bucket.TokenBucketAlgorithm, bucket.LeakyBucketAlgorithm, bucket.FixedWindowAlgorithm, bucket.SlidingCounterAlgorithm, bucket.SlidingLogAlgorithm,
}

// curvePoints is about how many points a curve has.
const curvePoints = 24

// Find suggests one limit of each algorithm for each period. When ctx is done it
// returns those of the periods that were done until then. tick is called with the
// share done.
func Find(ctx context.Context, l *Log, periods []time.Duration, target Target, tick func(done float64)) (*Result, error) {
	r := &Result{Requests: l.Requests, Clients: l.Clients(), Span: l.Span, Target: target}
	for i, period := range periods {
		found, err := findAll(ctx, l, period, target, func(done float64) { tick((float64(i) + done) / float64(len(periods))) })
		if ctx.Err() != nil {
			r.Interrupted = true
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		r.Suggestions = append(r.Suggestions, found...)
	}
	return r, nil
}

// findAll first finds the limits of one period, and then what lies between them.
func findAll(ctx context.Context, l *Log, period time.Duration, target Target, tick func(done float64)) (found []Suggestion, err error) {
	steps, most := float64(2*len(algorithms)), int64(1)
	var searches []*search
	for i, a := range algorithms {
		s := &search{ctx: ctx, log: l, limit: bucket.Limit{Algorithm: a, Period: period}, tried: map[int64]Refusals{}}
		tokens, err := s.least(func(r Refusals) bool { return target.met(l, r) })
		if err != nil {
			return nil, err
		}
		nobody, err := s.least(func(r Refusals) bool { return r.Requests == 0 })
		if err != nil {
			return nil, err
		}
		found = append(found, Suggestion{Limit: s.of(tokens), Refuses: s.tried[tokens], Nobody: s.of(nobody)})
		searches = append(searches, s)
		most = max(most, nobody)
		tick(float64(i+1) / steps)
	}
	for i, s := range searches {
		for _, n := range points(most) {
			r := Refusals{}
			if n < found[i].Nobody.Tokens {
				if r, err = s.try(n); err != nil {
					return nil, err
				}
			}
			found[i].Curve = append(found[i].Curve, Point{n, r})
		}
		tick(float64(len(algorithms)+i+1) / steps)
	}
	return found, nil
}

// points are numbers of tokens from 1 to most, each about as many times as large
// as the one before.
func points(most int64) (out []int64) {
	for i := range curvePoints {
		n := int64(math.Round(math.Pow(float64(most), float64(i)/(curvePoints-1))))
		if len(out) == 0 || n > out[len(out)-1] {
			out = append(out, n)
		}
	}
	return out
}

// search tries limits of one algorithm, each once.
type search struct {
	ctx   context.Context
	log   *Log
	limit bucket.Limit
	tried map[int64]Refusals
}

func (s *search) of(tokens int64) bucket.Limit {
	l := s.limit
	l.Tokens = tokens
	return l
}

func (s *search) try(tokens int64) (r Refusals, err error) {
	r, known := s.tried[tokens]
	if known {
		return r, nil
	}
	if err := s.ctx.Err(); err != nil {
		return r, err
	}
	if r, err = s.log.refused(s.of(tokens)); err == nil {
		s.tried[tokens] = r
	}
	return r, err
}

// least returns the smallest number of tokens that is enough, by bisection; as
// many as the busiest client has requests are.
func (s *search) least(enough func(Refusals) bool) (int64, error) {
	low, high := int64(1), s.log.busiest()
	for low < high {
		middle := low + (high-low)/2
		r, err := s.try(middle)
		if err != nil {
			return 0, err
		}
		if enough(r) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	_, err := s.try(low) // so that what it refuses is known
	return low, err
}
