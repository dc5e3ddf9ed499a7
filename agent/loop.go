package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pawl/lifecycle"
)

// Loop is how every session is driven, parent and subagent alike. Its fields are
// its world: functions and values that internal/app connects. It keeps nothing itself,
// so one Loop serves all runs at once.
type Loop struct {
	// Resolve finds the provider of a model ("provider/name") and gives the name
	// that the provider knows it by. Its error says what to do.
	Resolve func(model string) (Provider, string, error)
	// Info tells what is known of a model ("provider/name"); nil is InfoOf.
	Info func(model string) ModelInfo
	// Entries reads the transcript of a session as it is stored.
	Entries func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error)
	// Kit makes what a run works with: its instructions, its tools, its limits.
	Kit func(ctx context.Context, run lifecycle.Run) (Kit, error)
	// Retry bounds waiting and retrying; the zero value is DefaultPatience.
	Retry RetryPolicy
	// Gate holds back the requests of all runs to a provider that asked for it;
	// nil is a gate of its own for each run.
	Gate *Gate

	wall func() time.Time // nil is wallClock; tests let the machine sleep
}

// Kit is what one run works with.
type Kit struct {
	System   string
	Tools    []Tool
	MaxSteps int // of one run, 0: no limit
	Budget   Budget
	// Permit decides about an effect before anybody is asked. Nil asks about all.
	Permit func(Effect) Decision
	// Propose gives the rules that would allow an effect from now on, for the person who
	// is asked; none where no rule is safe. Nil proposes none.
	Propose func(Effect) []string
	// Hooks asks the user's hooks. It returns promptly when ctx ends, and then what it
	// says does not count. Nil: there are none.
	Hooks func(ctx context.Context, o HookInput) HookResult
	// Standing is what the tools know that a summary of the conversation must not
	// lose, such as a list of things to do; empty if there is nothing. Nil is allowed.
	Standing func() string
	// Close lets go of what the kit holds; nil is allowed.
	Close func()
}

// nudge is said once to a subagent that ended without text.
const nudge = "You ended without any text, so whoever asked you has received nothing. Report what you found now, in plain text; if you found nothing, say so and why."

// activeRun is one run under way: what Work keeps between its steps.
type activeRun struct {
	loop         Loop
	port         Port
	run          lifecycle.Run
	kit          Kit
	provider     Provider
	model        string
	info         ModelInfo
	messages     []Message
	gauge        gauge
	summarized   bool            // the first message is a summary
	priorSummary string          // the words of that
	userTexts    []string        // what people, or the parent, have said in all
	warned       map[string]bool // about these limits of the budget
	continued    bool            // a hook has made it go on once
}

// Work is the work of a lifecycle.Worker, for every session: it asks the model, runs the
// tools it asks for, and asks again, until the model stops. It can be stopped at
// any point and then leaves no tool call without a result.
func (l Loop) Work(ctx context.Context, port Port) lifecycle.Outcome {
	t, err := l.begin(ctx, port)
	if err != nil {
		return lifecycle.Outcome{Err: err}
	}
	if t.kit.Close != nil {
		defer t.kit.Close()
	}
	if t.run.Trigger == lifecycle.TriggerCompact {
		text, err := t.compactOnRequest(ctx)
		return lifecycle.Outcome{Text: text, Err: err}
	}
	if err := t.runStartHooks(ctx); err != nil {
		return lifecycle.Outcome{Err: err}
	}
	for step := 1; t.kit.MaxSteps == 0 || step <= t.kit.MaxSteps; step++ {
		over, err := t.checkBudget()
		if err != nil {
			return lifecycle.Outcome{Err: err}
		}
		if over != nil {
			return lifecycle.Outcome{Err: t.wrapUp(ctx, over)}
		}
		if err := t.compactIfFull(ctx); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		text, done, err := t.step(ctx)
		if err != nil || done {
			return lifecycle.Outcome{Text: text, Err: err}
		}
	}
	return lifecycle.Outcome{Err: &lifecycle.Failure{
		Kind:    lifecycle.FailMaxSteps,
		Message: fmt.Sprintf("reached the limit of %d steps that a run of type %q may take", t.kit.MaxSteps, t.run.Type),
	}}
}

// begin gathers what the run needs. Errors carry their kind.
func (l Loop) begin(ctx context.Context, port Port) (*activeRun, error) {
	t := &activeRun{loop: l, port: port, run: port.Run()}
	if t.loop.Retry == (RetryPolicy{}) {
		t.loop.Retry = DefaultRetryPolicy()
	}
	if t.loop.Gate == nil {
		t.loop.Gate = &Gate{}
	}
	if t.loop.wall == nil {
		t.loop.wall = wallClock
	}
	provider, model, err := l.Resolve(t.run.Model)
	if err != nil {
		return nil, setupFailure(err)
	}
	t.provider, t.model = provider, model
	if l.Info == nil {
		l.Info = InfoOf
	}
	t.info = l.Info(t.run.Model)
	entries, err := l.Entries(ctx, t.run.Session)
	if err != nil {
		return nil, setupFailure(err)
	}
	if t.messages, err = Transcript(entries); err != nil {
		return nil, setupFailure(err)
	}
	if t.kit, err = l.Kit(ctx, t.run); err != nil {
		return nil, setupFailure(err)
	}
	t.userTexts = textsSaid(entries)
	if t.priorSummary, t.summarized = lastSummary(entries); t.summarized {
		t.gauge = gauge{afterSummary: t.requestSize(t.messages[:1]), confirmed: true}
	}
	return t, t.answerLostCalls()
}

// setupFailure gives an error its kind, unless it has one.
func setupFailure(err error) error {
	var failure *lifecycle.Failure
	if errors.As(err, &failure) {
		return err
	}
	return &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}
}

// say adds a user message of the loop's own.
func (t *activeRun) say(text string, events ...lifecycle.Event) error {
	entry := lifecycle.Entry{
		Session: t.run.Session, Run: t.run.ID, Kind: lifecycle.EntryUser,
		Body: encode(lifecycle.Said{From: lifecycle.FromPawl, Text: text}),
	}
	if err := t.port.Record([]lifecycle.Entry{entry}, events...); err != nil {
		return err
	}
	t.messages = append(t.messages, Say(text))
	return nil
}

// step is one model request and the tools it asked for. done says that the model
// has stopped, with its final text.
func (t *activeRun) step(ctx context.Context) (text string, done bool, err error) {
	if ctx.Err() != nil {
		return "", false, context.Cause(ctx)
	}
	if err := t.receive(); err != nil {
		return "", false, err
	}
	answer, err := t.askCompacting(ctx)
	if err != nil {
		return "", false, err
	}
	calls := answer.Message.Calls()
	if err := t.checkAnswer(answer, calls); err != nil {
		return "", false, err
	}
	if len(calls) > 0 {
		return "", false, t.runCalls(ctx, calls)
	}
	text = strings.TrimSpace(answer.Message.Text())
	if text == "" && t.run.Subagent() && t.port.Run().Nudges == 0 {
		return "", false, t.say(nudge, lifecycle.Nudged{})
	}
	more, err := t.runStopHooks(ctx, text)
	return text, !more, err
}

// receive opens the step and adds what waited for it.
func (t *activeRun) receive() error {
	entries, err := t.port.Step()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		m, err := DecodeEntry(entry)
		if err != nil {
			return err
		}
		t.messages = append(t.messages, m)
	}
	t.userTexts = append(t.userTexts, textsSaid(entries)...)
	return nil
}

// checkAnswer refuses answers that are no answers. An answer that was cut off while
// it wrote a call has its calls answered, so that the transcript stays whole.
func (t *activeRun) checkAnswer(answer Response, calls []Call) error {
	var failure *lifecycle.Failure
	switch answer.Stop {
	case StopEnd, StopToolCalls:
		return nil
	case StopLength:
		failure = &lifecycle.Failure{Kind: lifecycle.FailTruncated, Message: "the answer was cut off at the model's length limit"}
	case StopRefused:
		failure = &lifecycle.Failure{Kind: lifecycle.FailRefused, Message: "the model, or a filter in front of it, declined to answer"}
		if answer.Refusal != "" {
			failure.Message += ": " + answer.Refusal
		}
	case StopUnknown:
		if t.callable(calls) {
			words := "the model stopped for a reason that Pawl does not know, and its calls are whole, so they are made"
			if answer.Refusal != "" {
				words += ": " + answer.Refusal
			}
			return t.port.Record(nil, lifecycle.Warned{Kind: lifecycle.WarnStop, Message: words})
		}
		failure = &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "the model stopped for a reason that Pawl does not know"}
		if answer.Refusal != "" {
			failure.Message += ": " + answer.Refusal
		}
	}
	for _, call := range calls {
		result := Fault("Not run: the answer that made this call was not complete.")
		if err := t.record(call, result, lifecycle.ToolCanceled); err != nil {
			return err
		}
	}
	return failure
}

// callable says that there are calls, and that each is whole: of a tool that there is,
// with the object that it takes.
func (t *activeRun) callable(calls []Call) bool {
	for _, call := range calls {
		var input map[string]json.RawMessage
		if _, known := t.tool(call.Name); !known || json.Unmarshal(call.Input, &input) != nil {
			return false
		}
	}
	return len(calls) > 0
}

// answerLostCalls answers the calls that a dead process left open.
func (t *activeRun) answerLostCalls() error {
	open := Unanswered(t.messages)
	if len(open) == 0 {
		return nil
	}
	var parts []Part
	for _, call := range open {
		result := Fault("This call was cut off when the process that made it ended. Nobody knows whether it took effect: check before you repeat it.")
		if tool, ok := t.tool(call.Name); ok && tool.Lost != nil {
			result = tool.Lost(t.invocation(call))
		}
		if err := t.record(call, result, lifecycle.ToolCanceled); err != nil {
			return err
		}
		kept := t.storedResult(call, result)
		parts = append(parts, Part{Result: &kept})
	}
	for _, part := range parts {
		t.messages = joinResult(t.messages, Message{Role: RoleTool, Parts: []Part{part}})
	}
	sortResults(t.messages) // others of these calls may have been answered before the crash
	return nil
}

func (t *activeRun) tool(name string) (Tool, bool) {
	for _, tool := range t.kit.Tools {
		if tool.Spec.Name == name {
			return tool, true
		}
	}
	return Tool{}, false
}
