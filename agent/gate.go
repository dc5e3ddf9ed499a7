package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"pawl/lifecycle"
)

// Gate holds back every request to a provider that has asked for a pause, so
// that five throttled subagents do not ask five times as often. One gate serves
// all runs of a process.
type Gate struct {
	mu     sync.Mutex
	opened map[string]time.Time // when requests to a provider may go on
}

// Wait returns when requests to this provider may go on, or with ctx's cause.
func (g *Gate) Wait(ctx context.Context, provider string) error {
	for {
		g.mu.Lock()
		wait := time.Until(g.opened[provider])
		g.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

// judge tells the retry what to do about an error, and closes the gate where the
// server named a time.
func (g *Gate) judge(provider string, err error) error {
	if err == nil {
		return nil
	}
	var failed *ProviderError
	if !errors.As(err, &failed) || !failed.Temporary {
		return backoff.Permanent(err)
	}
	if failed.RetryAfter <= 0 {
		return err
	}
	if failed.Kind == lifecycle.FailRateLimited || failed.Status == 503 || failed.Status == 529 {
		g.close(provider, failed.RetryAfter)
	}
	return &askedToWait{RetryAfterError: backoff.RetryAfterError{Duration: failed.RetryAfter}, cause: err}
}

func (g *Gate) close(provider string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = map[string]time.Time{}
	}
	if until := time.Now().Add(d); until.After(g.opened[provider]) {
		g.opened[provider] = until
	}
}

// askedToWait is a failure whose server named the time of the next try.
type askedToWait struct {
	backoff.RetryAfterError
	cause error
}

func (a *askedToWait) Error() string { return a.cause.Error() }

// Unwrap lets the retry find the time, and the loop the failure.
func (a *askedToWait) Unwrap() []error { return []error{&a.RetryAfterError, a.cause} }
