package agent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Compaction: a conversation that becomes too long for its model is replaced, for
// the model alone, by a summary. It happens between steps, where every call has
// its result, and is one transaction: the summary's entry and its record. Until
// that is on disk the conversation is as it was.

//go:embed prompt_compact.md
var compactPrompt string

// AsksForSummary says that a request wants the conversation summed up, and nothing
// else: for a scripted model.
func AsksForSummary(req Request) bool {
	n := len(req.Messages)
	opening, _, _ := strings.Cut(compactPrompt, ",")
	return n > 0 && strings.HasPrefix(req.Messages[n-1].Text(), opening)
}

// summingUp is the activity of a run while its model writes a summary.
const summingUp = "summarizing the conversation"

// summaryTries bounds the requests for one summary: with the whole conversation,
// then with what a half and a quarter of it hold.
const summaryTries = 3

// errNoShorter reports a summary that would have replaced as little as it is.
var errNoShorter = errors.New("a summary would be no shorter than the conversation")

// compactIfFull sums the conversation up before a step, where it has become too long.
// One without an answer of the model since the last summary holds nothing that a
// summary could leave out.
func (t *activeRun) compactIfFull(ctx context.Context) error {
	if !t.full() || !t.hasAnswers() {
		return nil
	}
	_, err := t.compact(ctx, "")
	if errors.Is(err, errNoShorter) {
		return nil // its provider has the last word on whether it fits
	}
	return err
}

func (t *activeRun) hasAnswers() bool {
	return slices.ContainsFunc(t.messages, func(m Message) bool { return m.Role == RoleAssistant })
}

// askCompacting makes the step's request. If the provider says that the conversation
// is too long it is summed up, and asked again, once.
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
	if run := t.port.Run(); run.TextStep == run.Step { // what the attempt had shown of an answer
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

// compactOnRequest is all that a run does which a person started for it.
func (t *activeRun) compactOnRequest(ctx context.Context) (string, error) {
	if !t.hasAnswers() {
		return "There is nothing to summarize yet.", nil
	}
	over, err := t.checkBudget()
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

// compact puts a summary in the place of the conversation. What it cost is
// recorded in any case.
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
	t.port.Report(lifecycle.Progress{Step: t.port.Run().Step}) // that is no longer what it does
	text := t.summary(words)
	replaced := []Message{Say(text)}
	done := lifecycle.Compacted{Summary: words, Before: t.size(), After: t.requestSize(replaced)}
	var events []lifecycle.Event
	if usage != (lifecycle.Usage{}) {
		events = append(events, lifecycle.UsageReported{Usage: usage})
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
		Body: encode(summaryBody{Text: text, Words: words}),
	}
	if err := t.port.Record([]lifecycle.Entry{entry}, append(events, done)...); err != nil {
		return done, err
	}
	t.messages, t.summarized, t.priorSummary = replaced, true, words
	t.gauge = gauge{afterSummary: done.After}
	return done, nil
}

// recordUsage records what was used without an answer to show for it.
func (t *activeRun) recordUsage(usage lifecycle.Usage) error {
	if usage == (lifecycle.Usage{}) {
		return nil
	}
	return t.port.Record(nil, lifecycle.UsageReported{Usage: usage})
}

// summarize gets the words of the summary: the model's or, where it gives none
// however short the question, Pawl's own.
func (t *activeRun) summarize(ctx context.Context, wish string) (words string, usage lifecycle.Usage, err error) {
	order := compactPrompt
	if wish = strings.TrimSpace(wish); wish != "" {
		order += "\nThe user asks of this summary: " + wish + "\n"
	}
	if !t.hasAnswers() {
		return t.summaryWithoutModel(), usage, nil // there is nothing in it for a model to sum up
	}
	size := estimate(t.messages)
	for try := range summaryTries {
		messages := t.messages
		if try > 0 {
			messages = shortened(t.messages, t.summarized, size>>try)
		}
		answer, err := t.askAside(ctx, append(slices.Clip(messages), Say(order)))
		usage = usage.Add(t.priced(answer.Usage)) // a failed one has cost something too
		if tooLong(err) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return "", usage, failureOf(ctx, err)
		}
		words = strings.TrimSpace(answer.Message.Text()) // calls are neither run nor kept
		if words != "" && answer.Stop != StopRefused {
			return headAndTail(words, t.maxPieceSize()), usage, nil
		}
		break
	}
	return t.summaryWithoutModel(), usage, nil
}

// askAside asks the model what is no step: its answer is shown to nobody.
func (t *activeRun) askAside(ctx context.Context, messages []Message) (Response, error) {
	d := &draft{port: t.port, step: t.port.Run().Step, activity: summingUp}
	t.port.Report(lifecycle.Progress{Step: d.step, Activity: d.activity})
	return t.exchange(ctx, t.request(messages), d)
}
