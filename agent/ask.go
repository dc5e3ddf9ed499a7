package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"pawl/lifecycle"
)

// Patience bounds how long a run waits for a model and how often it asks again.
type Patience struct {
	Silence time.Duration // a stream that says nothing for this long is dead
	Tries   uint          // requests for one step, the first included
	First   time.Duration // before the second try; doubled and jittered from there
	Longest time.Duration // between two tries, unless the server asks for more
}

// DefaultPatience is the design's: 120 s of silence (section 11), and six tries
// over about a minute, which outlasts the usual overload of a provider without
// leaving a person in front of a dead screen.
func DefaultPatience() Patience {
	return Patience{Silence: 120 * time.Second, Tries: 6, First: time.Second, Longest: 30 * time.Second}
}

// errSilent is the cause with which a silent stream is cut.
var errSilent = errors.New("the model's stream went silent")

// ask makes the step's request and records the answer: its last text, its usage,
// its transcript entry and the calls it opens.
func (t *turn) ask(ctx context.Context) (Response, error) {
	d := &draft{port: t.port, step: t.port.Run().Step}
	answer, err := t.exchange(ctx, t.request(t.messages), d)
	if err != nil {
		return Response{}, t.unanswered(ctx, d, err)
	}
	return answer, t.keep(answer, d)
}

// request is the question with these messages, in the shape that the model can take.
func (t *turn) request(messages []Message) Request {
	req := Request{
		Model: t.model, System: t.kit.System, Messages: messages,
		MaxTokens: t.traits.Limit, Thinking: t.traits.Thinking,
	}
	if t.traits.Images == Unable {
		req.Messages = blindfold(messages)
	}
	for _, tool := range t.kit.Tools {
		req.Tools = append(req.Tools, tool.Spec)
	}
	return req
}

// exchange makes a request, again if that may help.
func (t *turn) exchange(ctx context.Context, req Request, d *draft) (Response, error) {
	provider, _ := SplitModel(t.run.Model)
	policy := backoff.NewExponentialBackOff()
	policy.InitialInterval, policy.MaxInterval = t.loop.Patience.First, t.loop.Patience.Longest
	attempt := 0
	answer, err := backoff.Retry(ctx, func() (Response, error) {
		if err := t.loop.Gate.Wait(ctx, provider); err != nil {
			return Response{}, backoff.Permanent(err)
		}
		attempt++
		answer, err := t.once(ctx, req, d)
		return answer, t.loop.Gate.judge(provider, err)
	},
		backoff.WithBackOff(policy),
		backoff.WithMaxTries(t.loop.Patience.Tries),
		backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			d.discard(err, wait, attempt)
		}),
	)
	d.stop()
	return answer, err
}

// once asks one time. A stream that says nothing for too long is cut.
func (t *turn) once(ctx context.Context, req Request, d *draft) (Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(t.loop.Patience.Silence, func() { cancel(errSilent) })
	defer silence.Stop()
	answer, err := t.provider.Stream(ctx, req, func(piece Delta) {
		silence.Reset(t.loop.Patience.Silence)
		d.write(piece)
	})
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return Response{}, &ProviderError{
			Kind: lifecycle.FailProvider, Temporary: true, Err: errSilent,
			Message: fmt.Sprintf("the model's stream was silent for %s", t.loop.Patience.Silence),
		}
	}
	if err == nil && d.err() != nil { // what was shown could not be recorded
		return Response{}, backoff.Permanent(d.err())
	}
	return answer, err
}

// keep records a whole answer in one transaction.
func (t *turn) keep(answer Response, d *draft) error {
	for i, part := range answer.Message.Parts {
		if part.Call != nil {
			call := part.Call.whole()
			answer.Message.Parts[i].Call = &call
		}
	}
	events := append(d.rest(answer.Message), lifecycle.UsageReported{Usage: t.priced(answer.Usage)})
	for _, call := range answer.Message.Calls() {
		events = append(events, lifecycle.ToolStarted{Call: call.ID, Tool: call.Name, Label: t.label(call), Input: asJSON(call.Input)})
	}
	entry := assistantEntry(t.run.Session, t.run.ID, t.run.Model, answer.Stop, answer.Message)
	if err := t.port.Record([]lifecycle.Entry{entry}, events...); err != nil {
		return err
	}
	t.messages = append(t.messages, answer.Message)
	t.gauge.read(answer.Usage.InputTokens, answer.Usage.OutputTokens, len(t.messages))
	t.port.Report(lifecycle.Progress{Step: d.step}) // what it was writing is written
	return nil
}

// priced is what an answer used, with what that costs.
func (t *turn) priced(usage lifecycle.Usage) lifecycle.Usage {
	usage.Cost = t.traits.Cost(usage)
	usage.Steps, usage.ToolCalls = 0, 0 // the fold counts those
	return usage
}

// unanswered ends a step that got no answer. The text that was shown is kept, in
// the log and in the transcript, so that the next run knows what was said.
func (t *turn) unanswered(ctx context.Context, d *draft, err error) error {
	if text := d.text(); strings.TrimSpace(text) != "" {
		m := Message{Role: RoleAssistant, Parts: []Part{{Text: text}}}
		entry := assistantEntry(t.run.Session, t.run.ID, t.run.Model, StopUnknown, m)
		// The usage of a broken answer is not known; its record numbers the entry.
		events := append(d.rest(m), lifecycle.UsageReported{})
		if kept := t.port.Record([]lifecycle.Entry{entry}, events...); kept != nil {
			return kept
		}
	}
	return failureOf(ctx, err)
}

// failureOf is why a request got no answer: a stop, or a Failure with its kind.
func failureOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *ProviderError
	if errors.As(err, &failed) {
		return &lifecycle.Failure{Kind: failed.Kind, Message: failed.Error()}
	}
	var failure *lifecycle.Failure
	if errors.As(err, &failure) {
		return failure
	}
	return &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: err.Error()}
}
