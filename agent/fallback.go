package agent

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"pawl/lifecycle"
)

// A fallback is the model that goes on where a limit of a run's own model lasts. It works until
// the run ends; the next run begins with its own model again.

// lasting is the pause from which a limit lasts, if there is a fallback: a person would rather
// have its answer than wait for longer. Shorter ones are waited for as always.
const lasting = time.Minute

// limited reports whether a request failed because of a limit of its model, or because its
// servers are overloaded.
func limited(err error) bool {
	failed, is := errors.AsType[*ProviderError](err)
	if !is {
		return false
	}
	const overloaded = 529 // Anthropic's
	return failed.Kind == lifecycle.FailRateLimited ||
		failed.Temporary && (failed.Status == overloaded || failed.Status == http.StatusServiceUnavailable)
}

// hasFallback reports whether another model can still go on in place of the run's own.
func (t *activeRun) hasFallback() bool {
	return t.loop.Fallback != "" && t.loop.Fallback != t.run.Model && t.name == t.run.Model && !t.stuck
}

// fellBackTo is the model that is asked in place of the run's own; empty if that one is.
func (t *activeRun) fellBackTo() string {
	if t.name == t.run.Model {
		return ""
	}
	return t.name
}

// pausedFor returns an error if a provider's requests have to wait for so long that the fallback
// goes on instead.
func (t *activeRun) pausedFor(provider string) error {
	if !t.hasFallback() {
		return nil
	}
	if wait := t.loop.Gate.Hold(provider, 0); wait > lasting {
		return &ProviderError{Kind: lifecycle.FailRateLimited, Message: fmt.Sprintf("%s has asked for a pause of %s", provider, round(wait))}
	}
	return nil
}

// tooLongToWait reports whether a server asked for a pause that is not worth waiting for.
func (t *activeRun) tooLongToWait(err error) bool {
	var failed *ProviderError
	return t.hasFallback() && limited(err) && errors.As(err, &failed) && failed.RetryAfter > lasting
}

// fallBack makes the fallback go on after a request that failed with err, and records why, with
// what that request has cost. It returns false if the failure stands.
func (t *activeRun) fallBack(ctx context.Context, d *draft, err error, lost lifecycle.Usage) (bool, error) {
	if ctx.Err() != nil || !t.hasFallback() || !limited(err) {
		return false, nil
	}
	why := fmt.Sprintf("%s is limited: %s", t.name, err)
	if failed := t.use(t.loop.Fallback); failed != nil {
		t.stuck = true
		warned := lifecycle.Warned{Kind: lifecycle.WarnFallback, Message: fmt.Sprintf("%s; %s cannot go on in its place: %s", why, t.loop.Fallback, failed)}
		return false, t.port.Record(nil, warned)
	}
	t.gauge.counted, t.gauge.countedMessages = 0, 0 // another model counts otherwise
	d.restart(lost, why+"; asking "+t.name)
	if d.err() != nil {
		return false, d.err()
	}
	return true, t.port.Record(nil, lifecycle.Warned{
		Kind: lifecycle.WarnFallback, Model: t.name, Message: fmt.Sprintf("by %s from here until this run ends, because %s", t.name, why),
	})
}
