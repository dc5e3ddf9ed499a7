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

// Gate pauses all requests to a provider that has asked for a pause, so that five throttled
// subagents do not retry five times as often, and knows which images servers have refused. One gate
// serves all runs of a process.
type Gate struct {
	// Parent is the Hold of the parent process's gate, so that both share one pause; nil
	// if there is none.
	Parent func(provider string, pause time.Duration) time.Duration

	mu     sync.Mutex
	opened map[string]time.Time // when requests to a provider may continue

	images imageRefusals
}

// Hold extends the pause of a provider to at least pause from now, and returns how long
// its requests still have to wait.
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

// Wait returns when requests to the provider may continue, or with ctx's cause.
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
	// maxPause bounds the pause that a server can ask for. Longer ones are taken for a mistake.
	maxPause = 10 * time.Minute
	// spread is the random extra delay that keeps runs paused until the same moment from
	// retrying together.
	spread = time.Second / 2
)

// classify turns an error into what backoff should do, and closes the gate if the server
// named a pause.
func (g *Gate) classify(provider string, err error) error {
	if err == nil {
		return nil
	}
	var failed *ProviderError
	if !errors.As(err, &failed) || !failed.Temporary {
		return backoff.Permanent(err)
	}
	if errors.Is(err, errSlept) { // the server did not ask for it, so the gate stays open
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

// askedToWait is an error whose server named the time of the next try.
type askedToWait struct {
	backoff.RetryAfterError
	cause error
	more  string // addition to the message
}

func (a *askedToWait) Error() string { return a.cause.Error() + a.more }

// Unwrap exposes the time to the retry, and the cause to the loop.
func (a *askedToWait) Unwrap() []error { return []error{&a.RetryAfterError, a.cause} }
