package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"pawl/lifecycle"
)

// RetryPolicy limits how long a run waits for a model and how often it asks again.
type RetryPolicy struct {
	Silence time.Duration // a stream without events for this long is dead
	Tries   uint          // requests for one step, including the first
	First   time.Duration // longest wait before the second try; the limit doubles from there, and the wait is random up to it
	Longest time.Duration // longest wait between tries, unless the server asks for more
}

// DefaultRetryPolicy waits for 120 s of silence, and makes six tries within about a minute:
// longer than most overloads last, without keeping a person waiting at a dead screen.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{Silence: 120 * time.Second, Tries: 6, First: time.Second, Longest: 30 * time.Second}
}

// policy is the waits between tries: a random time up to a limit that doubles, so that
// runs that failed together do not retry together.
func (p RetryPolicy) policy() *backoff.ExponentialBackOff {
	policy := backoff.NewExponentialBackOff()
	policy.RandomizationFactor, policy.Multiplier = 1, 2 // a random factor from 0 to 2 of half the limit
	policy.InitialInterval, policy.MaxInterval = p.First/2, p.Longest/2
	return policy
}

// ask makes the step's request and records the answer: its remaining text, usage,
// transcript entry and calls.
func (t *activeRun) ask(ctx context.Context) (Response, error) {
	d := &draft{port: t.port, step: t.port.Run().Step}
	answer, err := t.exchange(ctx, t.messages, d)
	if err != nil {
		return Response{}, t.recordFailed(ctx, d, answer.Usage, err)
	}
	return answer, t.recordAnswer(answer, d)
}

// request asks about these messages in a form that the model accepts.
func (t *activeRun) request(messages []Message) Request {
	req := Request{
		Model: t.model, System: t.system, Messages: messages,
		MaxTokens: t.info.Limit, Thinking: t.info.Thinking, Effort: t.effort,
	}
	if t.kit.Search != nil {
		req.Search = t.kit.Search()
	}
	req.Messages = withNested(t.shown(messages))
	for _, tool := range t.kit.Tools {
		req.Tools = append(req.Tools, tool.Spec)
	}
	return req
}

// exchange asks about these messages, and asks again without images that the server refuses, or
// asks the fallback if a limit of the model lasts. With an error, the Response holds only usage
// that is not recorded yet.
func (t *activeRun) exchange(ctx context.Context, messages []Message, d *draft) (Response, error) {
	for {
		if err := t.warnEffort(t.instead); err != nil {
			return Response{}, err
		}
		if err := t.warnImages(messages); err != nil {
			return Response{}, err
		}
		req := t.request(messages)
		if d.activity != "" {
			req.Search = nil // nothing of what it would find is shown or recorded
		}
		answer, err := t.askOften(ctx, req, d)
		if err == nil {
			return answer, nil
		}
		if ctx.Err() == nil && t.loop.Gate.images.learn(t.name, req.Messages, err) {
			if d.restart(answer.Usage, err.Error()+"; asking again without images"); d.err() != nil {
				return Response{}, d.err()
			}
			continue
		}
		goesOn, failed := t.fallBack(ctx, d, err, answer.Usage)
		switch {
		case failed != nil:
			return answer, failed
		case !goesOn:
			return answer, err
		}
	}
}

// askOften makes a request and retries it if that may help. With an error, the Response
// holds only usage that is not recorded yet.
func (t *activeRun) askOften(ctx context.Context, req Request, d *draft) (Response, error) {
	provider, _ := SplitModel(t.name)
	var lost lifecycle.Usage // of a failed attempt, not recorded yet
	attempt := 0
	answer, err := backoff.Retry(ctx, func() (Response, error) {
		if err := t.pausedFor(provider); err != nil {
			return Response{}, backoff.Permanent(err)
		}
		if err := t.waitAtGate(ctx, provider, attempt); err != nil {
			return Response{}, backoff.Permanent(err)
		}
		attempt++
		answer, err := t.once(ctx, req, d)
		if err != nil {
			lost = t.priced(answer)
		}
		waits := t.loop.Gate.classify(provider, err)
		if _, images := refusesImages(imagesIn(req.Messages), err); images || t.tooLongToWait(err) {
			return answer, backoff.Permanent(err)
		}
		return answer, waits
	},
		backoff.WithBackOff(t.loop.Retry.policy()),
		backoff.WithMaxTries(t.loop.Retry.Tries),
		backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			d.discard(err, wait, attempt, lost)
			lost = lifecycle.Usage{}
		}),
	)
	d.stop()
	if err != nil {
		return Response{Usage: lost}, err
	}
	return answer, nil
}

// waitAtGate waits while the gate is closed, and records that it does.
func (t *activeRun) waitAtGate(ctx context.Context, provider string, attempt int) error {
	if wait := t.loop.Gate.Hold(provider, 0); wait > 0 {
		waiting := lifecycle.Waiting{
			Why: fmt.Sprintf("%s has asked for a pause; asking in %s", provider, round(wait)),
			For: wait, Attempt: attempt,
		}
		if err := t.port.Record(nil, waiting); err != nil {
			return err
		}
	}
	return t.loop.Gate.Wait(ctx, provider)
}

// once makes one attempt, under a streamWatch. With an error, the Response holds only what
// was used: what the server reported, or an estimate.
func (t *activeRun) once(ctx context.Context, req Request, d *draft) (Response, error) {
	ctx, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	w := newStreamWatch(t.loop.Retry.Silence, t.loop.wall, cut)
	defer w.stop()
	var came partialAnswer
	answer, err := t.provider.Stream(ctx, req, func(piece Delta) {
		came.add(piece)
		w.heard(piece)
		d.write(piece)
	})
	if err != nil {
		if short := w.errorFor(context.Cause(ctx)); short != nil {
			err = short
		}
		return t.estimateUsage(req, answer, came), err
	}
	if d.err() != nil { // the text shown could not be recorded
		return t.estimateUsage(req, answer, came), backoff.Permanent(d.err())
	}
	return answer, nil
}

// priced sums what a server counted, with the cost of each request: the price of a token can
// depend on a request's length. Steps and calls are counted when records are folded.
func (t *activeRun) priced(answer Response) (sum lifecycle.Usage) {
	for _, u := range append(slices.Clip(answer.Earlier), answer.Usage) {
		u.Cost = t.info.Cost(u)
		sum = sum.Add(u)
	}
	sum.Steps, sum.ToolCalls = 0, 0
	return sum
}

// recordAnswer records a complete answer in one transaction.
func (t *activeRun) recordAnswer(answer Response, d *draft) error {
	for i, part := range answer.Message.Parts {
		if part.Call != nil {
			call := part.Call.completed()
			answer.Message.Parts[i].Call = &call
		}
	}
	events := d.rest(answer.Message)
	if pages := cited(answer.Message); len(pages) > 0 {
		events = append(events, lifecycle.Searched{Cited: pages})
	}
	events = append(events, lifecycle.UsageReported{
		Usage: t.priced(answer), Response: answer.Said, Effort: answer.Effort, Fallback: t.fellBackTo(),
	})
	for _, call := range answer.Message.Calls() {
		events = append(events, lifecycle.ToolStarted{Call: call.ID, Tool: call.Name, Label: t.label(call), Input: asJSON(call.Input)})
	}
	entry := assistantEntry(t.run.Session, t.run.ID, t.name, answer.Stop, answer.Message)
	if err := t.port.Record([]lifecycle.Entry{entry}, events...); err != nil {
		return err
	}
	t.messages = append(t.messages, answer.Message)
	t.gauge.update(answer.Usage.InputTokens, answer.Usage.OutputTokens, len(t.messages))
	t.port.Report(lifecycle.Progress{Step: d.step}) // clears the draft from the progress
	if err := t.warnEffort(answer.NoEffort); err != nil {
		return err
	}
	return t.warnSearch(answer.NoSearch)
}

// recordFailed ends a step without an answer. The text that was shown is kept in the log
// and the transcript, so that the next run knows it, and so is the usage.
func (t *activeRun) recordFailed(ctx context.Context, d *draft, lost lifecycle.Usage, err error) error {
	var entries []lifecycle.Entry
	events := []lifecycle.Event{lifecycle.UsageReported{Usage: lost, Fallback: t.fellBackTo()}} // even if zero: its record numbers the entry
	if text := d.text(); strings.TrimSpace(text) != "" {
		m := Message{Role: RoleAssistant, Parts: []Part{{Text: text}}}
		entries = append(entries, assistantEntry(t.run.Session, t.run.ID, t.name, StopUnknown, m))
		events = append(d.rest(m), events...)
	}
	if len(entries) > 0 || lost != (lifecycle.Usage{}) {
		if kept := t.port.Record(entries, events...); kept != nil {
			return kept
		}
	}
	return failureOf(ctx, err)
}

// failureOf is why a request got no answer: the cause of a stop, or a Failure.
func failureOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if failed, is := errors.AsType[*ProviderError](err); is {
		return &lifecycle.Failure{Kind: failed.Kind, Message: failed.Error()}
	}
	if failure, is := errors.AsType[*lifecycle.Failure](err); is {
		return failure
	}
	return &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: err.Error()}
}
