package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"pawl/lifecycle"
)

// Gate holds back every request to a provider that has asked for a pause, so
// that five throttled subagents do not ask five times as often. One gate serves
// all runs of a process.
type Gate struct {
	// Further is the Hold of the gate of the process for which this one works, so that
	// both have one; nil where there is none.
	Parent func(provider string, pause time.Duration) time.Duration

	mu     sync.Mutex
	opened map[string]time.Time // when requests to a provider may go on
}

// Hold closes the gate for as long as a provider has asked for, 0 for no longer
// than it is, and says how much longer requests to it are held back.
func (g *Gate) Hold(provider string, pause time.Duration) time.Duration {
	pause = min(pause, maxPause)
	if g.Parent != nil {
		pause = max(pause, g.Parent(provider, pause))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = map[string]time.Time{}
	}
	if until := time.Now().Add(pause); until.After(g.opened[provider]) {
		g.opened[provider] = until
	}
	return max(0, time.Until(g.opened[provider]))
}

// Wait returns when requests to this provider may go on, or with ctx's cause.
func (g *Gate) Wait(ctx context.Context, provider string) error {
	for {
		wait := g.Hold(provider, 0)
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait + rand.N(spread))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

const (
	// maxPause bounds what a server may ask for: beyond it the figure is
	// taken for a mistake.
	maxPause = 10 * time.Minute
	// spread is within which runs go on that a server has sent away until the
	// same moment, so that they do not come back as one. It asked for seconds.
	spread = time.Second / 2
)

// classify tells the retry what to do about an error, and closes the gate where the
// server named a time.
func (g *Gate) classify(provider string, err error) error {
	if err == nil {
		return nil
	}
	var failed *ProviderError
	if !errors.As(err, &failed) || !failed.Temporary {
		return backoff.Permanent(err)
	}
	if errors.Is(err, errSlept) { // nobody was asked too often
		return &askedToWait{cause: err}
	}
	if failed.RetryAfter <= 0 {
		return err
	}
	wait := min(failed.RetryAfter, maxPause)
	if failed.Kind == lifecycle.FailRateLimited || failed.Status == 503 || failed.Status == 529 {
		g.Hold(provider, wait)
	}
	asked := &askedToWait{RetryAfterError: backoff.RetryAfterError{Duration: wait + rand.N(spread)}, cause: err}
	if wait < failed.RetryAfter {
		asked.more = fmt.Sprintf("; it asks for a pause of %s, which is longer than Pawl waits", failed.RetryAfter.Round(time.Second))
	}
	return asked
}

// askedToWait is a failure whose server named the time of the next try.
type askedToWait struct {
	backoff.RetryAfterError
	cause error
	more  string // to say
}

func (a *askedToWait) Error() string { return a.cause.Error() + a.more }

// Unwrap lets the retry find the time, and the loop the failure.
func (a *askedToWait) Unwrap() []error { return []error{&a.RetryAfterError, a.cause} }
