package agent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Compaction: a conversation that grows too long for its model is replaced, for the model
// alone, by a summary. It happens between steps, when every call has its result, and is
// one transaction: the summary's entry and its record.

//go:embed prompt_compact.md
var compactPrompt string

// AsksForSummary reports whether a request only asks for a summary of the conversation.
// Scripted models use it.
func AsksForSummary(req Request) bool {
	n := len(req.Messages)
	opening, _, _ := strings.Cut(compactPrompt, ",")
	return n > 0 && strings.HasPrefix(req.Messages[n-1].Text(), opening)
}

// summingUp is the activity shown while the model writes a summary.
const summingUp = "summarizing the conversation"

// summaryTries is how many requests one summary may take: with the whole conversation,
// with half of it, and with a quarter.
const summaryTries = 3

// errNoShorter means that a summary would not be shorter than what it replaces.
var errNoShorter = errors.New("a summary would be no shorter than the conversation")

// compactIfFull summarizes the conversation before a step if it has become too long.
// Without an answer since the last summary there is nothing to leave out.
func (t *activeRun) compactIfFull(ctx context.Context) error {
	if !t.full() || !t.hasAnswers() {
		return nil
	}
	_, err := t.compact(ctx, "")
	if errors.Is(err, errNoShorter) {
		return nil // the provider decides whether it fits
	}
	return err
}

func (t *activeRun) hasAnswers() bool {
	return slices.ContainsFunc(t.messages, func(m Message) bool { return m.Role == RoleAssistant })
}

// askCompacting makes the step's request. If the provider says that the conversation is
// too long, it is summarized, and asked once more.
func (t *activeRun) askCompacting(ctx context.Context) (Response, error) {
	answer, err := t.ask(ctx)
	if !tooLong(err) || t.summarized && len(t.messages) == 1 {
		return answer, err
	}
	_, failed := t.compact(ctx, "")
	switch {
	case errors.Is(failed, errNoShorter):
		return answer, err
	case failed != nil:
		return Response{}, failed
	}
	if run := t.port.Run(); run.TextStep == run.Step { // the failed attempt had shown text
		again := lifecycle.Waiting{Why: "the conversation was too long; asking again with a summary", Discarded: true}
		if err := t.port.Record(nil, again); err != nil {
			return Response{}, err
		}
	}
	return t.ask(ctx)
}

func tooLong(err error) bool {
	var refused *ProviderError
	var failure *lifecycle.Failure
	return errors.As(err, &refused) && refused.Kind == lifecycle.FailContextLength ||
		errors.As(err, &failure) && failure.Kind == lifecycle.FailContextLength
}

// compactOnRequest does all the work of a run that a person started to get a summary.
func (t *activeRun) compactOnRequest(ctx context.Context) (string, error) {
	if !t.hasAnswers() {
		return "There is nothing to summarize yet.", nil
	}
	over, err := t.checkBudget(ctx)
	if err != nil {
		return "", err
	}
	if over != nil {
		return "", over
	}
	done, err := t.compact(ctx, t.run.Prompt)
	if errors.Is(err, errNoShorter) {
		return fmt.Sprintf("Nothing was replaced: %v (%s tokens).", err, words.Grouped(done.Before)), nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Compacted %s tokens to %s.", words.Grouped(done.Before), words.Grouped(done.After)), nil
}

// compact replaces the conversation by a summary. What it costs is recorded even if it fails.
func (t *activeRun) compact(ctx context.Context, wish string) (lifecycle.Compacted, error) {
	if ctx.Err() != nil {
		return lifecycle.Compacted{}, context.Cause(ctx)
	}
	words, usage, err := t.summarize(ctx, wish)
	if err != nil {
		if lost := t.recordUsage(usage); lost != nil {
			err = lost
		}
		return lifecycle.Compacted{}, err
	}
	t.port.Report(lifecycle.Progress{Step: t.port.Run().Step}) // clears the activity
	body := summaryBody{Text: t.summary(words), Words: words, Images: t.openImages()}
	replaced := []Message{body.message()}
	done := lifecycle.Compacted{Summary: words, Before: t.size(), After: t.requestSize(replaced)}
	var events []lifecycle.Event
	if usage != (lifecycle.Usage{}) {
		events = append(events, lifecycle.UsageReported{Usage: usage, Fallback: t.fellBackTo()})
	}
	if estimate(replaced) >= estimate(t.messages) {
		if err := t.port.Record(nil, events...); err != nil {
			return done, err
		}
		t.gauge.afterSummary = done.Before
		return done, errNoShorter
	}
	entry := lifecycle.Entry{
		Session: t.run.Session, Run: t.run.ID, Kind: lifecycle.EntrySummary,
		Body: encode(body),
	}
	if err := t.port.Record([]lifecycle.Entry{entry}, append(events, done)...); err != nil {
		return done, err
	}
	t.messages, t.summarized, t.priorSummary, t.nested = replaced, true, words, nil
	t.gauge = gauge{afterSummary: done.After}
	return done, nil
}

// recordUsage records tokens for which there is no answer.
func (t *activeRun) recordUsage(usage lifecycle.Usage) error {
	if usage == (lifecycle.Usage{}) {
		return nil
	}
	return t.port.Record(nil, lifecycle.UsageReported{Usage: usage, Fallback: t.fellBackTo()})
}

// summarize returns the text of the summary: the model's, or Pawl's own if the model gives
// none even for a short conversation.
func (t *activeRun) summarize(ctx context.Context, wish string) (words string, usage lifecycle.Usage, err error) {
	order := compactPrompt
	if wish = strings.TrimSpace(wish); wish != "" {
		order += "\nThe user asks of this summary: " + wish + "\n"
	}
	if !t.hasAnswers() {
		return t.summaryWithoutModel(), usage, nil // there is nothing for a model to summarize
	}
	size, since := estimate(t.messages), time.Now()
	for try := range summaryTries {
		messages := t.messages
		if try > 0 {
			messages = shortened(t.messages, t.summarized, size>>try)
		}
		answer, err := t.askForSummary(ctx, append(slices.Clip(messages), Say(order)), since)
		spent := answer.Usage // a failed request costs something too
		if err == nil {
			spent = t.priced(answer)
		}
		usage = usage.Add(spent)
		if tooLong(err) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return "", usage, failureOf(ctx, err)
		}
		words = strings.TrimSpace(answer.Message.Text()) // calls are neither run nor stored
		if words != "" && answer.Stop != StopRefused {
			return headAndTail(words, t.maxPieceSize()), usage, nil
		}
		break
	}
	return t.summaryWithoutModel(), usage, nil
}

// askForSummary asks the model outside the steps. The answer is not shown, only how much of it
// there is; since is when the summary was begun, at the first of its requests.
func (t *activeRun) askForSummary(ctx context.Context, messages []Message, since time.Time) (Response, error) {
	d := &draft{port: t.port, step: t.port.Run().Step, activity: summingUp, summarizing: since}
	t.port.Report(d.empty())
	return t.exchange(ctx, messages, d)
}
