package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/lifecycle"
)

// Loop drives every session, parent and subagent alike. Its fields are functions and values
// that internal/app provides. It keeps no state, so one Loop serves all runs at once.
type Loop struct {
	// Resolve returns the provider of a model ("provider/name") and the provider's own
	// name for it. An error tells the user what to do.
	Resolve func(model string) (Provider, string, error)
	// Info returns what is known of a model ("provider/name"); nil is InfoOf.
	Info func(model string) ModelInfo
	// Entries reads the stored transcript of a session.
	Entries func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error)
	// Kit returns a run's instructions, tools and limits.
	Kit func(ctx context.Context, run lifecycle.Run) (Kit, error)
	// Retry limits waiting and retrying; the zero value is DefaultRetryPolicy.
	Retry RetryPolicy
	// Fallback is the model ("provider/name") that goes on where a limit of a run's own lasts;
	// empty: none does.
	Fallback string
	// Gate pauses requests of all runs to a provider that asked for it; nil gives each run
	// a gate of its own.
	Gate *Gate

	wall func() time.Time // nil is wallClock; tests simulate sleep
}

// Kit holds what one run works with.
type Kit struct {
	Prompt SystemPrompt
	Tools  []Tool
	// Hidden are tools that the model can call and is not told of, until a result offers them.
	Hidden   []Tool
	MaxSteps int // for one run; 0: no limit
	Budget   Budget
	// Today returns what all sessions of the user have cost in the current calendar day, also
	// what other processes have recorded. It is asked before each step, and only if Budget
	// limits a day; it must be set then.
	Today func(ctx context.Context) (lifecycle.DayCost, error)
	// Permit decides about an effect before anybody is asked. Nil asks about every effect.
	Permit func(Effect) Decision
	// Propose returns rules that would allow an effect from now on, to offer with the
	// question; none if no rule is safe. Nil proposes none.
	Propose func(Effect) []string
	// Search returns what the model's own server may search on the web, now; nil: nothing. A nil
	// Search is the same.
	Search func() *WebSearch
	// Hooks runs the user's hooks. It returns promptly when ctx ends; its result is then
	// ignored. Nil: there are none.
	Hooks func(ctx context.Context, o HookInput) HookResult
	// Standing returns state of the tools that a summary must keep, such as a todo list;
	// empty if there is none. Nil is allowed.
	Standing func() string
	// Asking is called when a model request begins: no call of the run is at work until it is
	// answered. It must not wait. Nil is allowed.
	Asking func()
	// Close releases what the kit holds. Nil is allowed.
	Close func()
}

// nudge is sent once to a subagent that ended without text.
const nudge = "You ended without any text, so whoever asked you has received nothing. Report what you found now, in plain text; if you found nothing, say so and why."

// activeRun is the state that Work keeps between the steps of a run.
type activeRun struct {
	loop         Loop
	port         Port
	run          lifecycle.Run
	kit          Kit
	system       string // the text of its prompt
	name         string // of the model that is asked now, as provider/name
	provider     Provider
	model        string // the provider's own name for it
	info         ModelInfo
	effort       string // what is sent with each request; empty: nothing
	instead      string // why that is not what was asked for, or empty
	stuck        bool   // the fallback cannot be used
	messages     []Message
	gauge        gauge
	summarized   bool            // the first message is a summary
	priorSummary string          // the text of that summary
	userTexts    []string        // all messages so far from people or the parent
	warned       map[string]bool // what was warned about
	continued    bool            // a hook has already made the run continue

	nesting sync.Mutex
	nested  nested // the instructions that messages hold in results; nil: not looked for yet
}

// Work runs a session for a lifecycle.Worker: it asks the model, runs the tools that it
// calls, and asks again until the model stops. It can be stopped at any point, and leaves
// no tool call without a result.
func (l Loop) Work(ctx context.Context, port Port) lifecycle.Outcome {
	t, err := l.begin(ctx, port)
	if err != nil {
		return lifecycle.Outcome{Err: err}
	}
	defer t.close()
	if t.run.Trigger == lifecycle.TriggerCompact {
		text, err := t.compactOnRequest(ctx)
		return lifecycle.Outcome{Text: text, Err: err}
	}
	if err := t.runStartHooks(ctx); err != nil {
		return lifecycle.Outcome{Err: err}
	}
	for step := 1; t.kit.MaxSteps == 0 || step <= t.kit.MaxSteps; step++ {
		over, err := t.checkBudget(ctx)
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

// begin gathers what the run needs. Its errors are Failures.
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
	if t.loop.Info == nil {
		t.loop.Info = InfoOf
	}
	if err := t.use(t.run.Model); err != nil {
		return nil, setupFailure(err)
	}
	entries, err := l.Entries(ctx, t.run.Session)
	if err != nil {
		return nil, setupFailure(err)
	}
	offered := offersIn(entries)
	if entries, err = Current(entries); err != nil {
		return nil, setupFailure(err)
	}
	if t.messages, err = messagesOf(entries); err != nil {
		return nil, setupFailure(err)
	}
	if t.kit, err = l.Kit(ctx, t.run); err != nil {
		return nil, setupFailure(err)
	}
	t.system = t.kit.Prompt.Text()
	t.offer(offered)
	t.userTexts = textsSaid(entries)
	if t.priorSummary, t.summarized = lastSummary(entries); t.summarized {
		t.gauge = gauge{afterSummary: t.requestSize(t.messages[:1]), confirmed: true}
	}
	if err := t.answerLostCalls(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// close gives back what the run's tools hold.
func (t *activeRun) close() {
	if t.kit.Close != nil {
		t.kit.Close()
	}
}

// use makes the coming requests go to a model.
func (t *activeRun) use(name string) error {
	provider, model, err := t.loop.Resolve(name)
	if err != nil {
		return err
	}
	t.name, t.provider, t.model, t.info = name, provider, model, t.loop.Info(name)
	t.effort, t.instead = FitEffort(t.info.Efforts, t.run.Effort)
	return nil
}

// setupFailure turns an error into a Failure, unless it is one.
func setupFailure(err error) error {
	if _, is := errors.AsType[*lifecycle.Failure](err); is {
		return err
	}
	return &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}
}

// say adds a user message written by Pawl.
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

// step makes one model request and runs the tools it calls. done reports that the model
// has stopped; text is then its final text.
func (t *activeRun) step(ctx context.Context) (text string, done bool, err error) {
	if ctx.Err() != nil {
		return "", false, context.Cause(ctx)
	}
	if err := t.receive(); err != nil {
		return "", false, err
	}
	if t.kit.Asking != nil {
		t.kit.Asking()
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

// receive opens the step and adds the messages that were waiting.
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

// checkAnswer turns incomplete and refused answers into errors. Their calls get results,
// so that the transcript stays complete.
func (t *activeRun) checkAnswer(answer Response, calls []Call) error {
	why := ""
	if answer.Refusal != "" {
		why = ": " + answer.Refusal
	}
	var failure *lifecycle.Failure
	switch answer.Stop {
	case StopEnd, StopToolCalls:
		return nil
	case StopLength:
		failure = &lifecycle.Failure{Kind: lifecycle.FailTruncated, Message: "the answer was cut off at the model's length limit"}
	case StopRefused:
		failure = &lifecycle.Failure{Kind: lifecycle.FailRefused, Message: "the model, or a filter in front of it, declined to answer" + why}
	case StopUnknown:
		const unknown = "the model stopped for a reason that Pawl does not know"
		if t.callable(calls) {
			return t.port.Record(nil, lifecycle.Warned{Kind: lifecycle.WarnStop, Message: unknown + ", but its calls are complete, so they are made" + why})
		}
		failure = &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: unknown + why}
	}
	if err := t.cancel(calls, "Not run: the answer that made this call was not complete."); err != nil {
		return err
	}
	return failure
}

// cancel gives calls that are not made their results.
func (t *activeRun) cancel(calls []Call, why string) error {
	for _, call := range calls {
		if err := t.record(call, ErrorResult(why), lifecycle.ToolCanceled); err != nil {
			return err
		}
	}
	return nil
}

// callable reports whether there are calls, and each names an existing tool with a JSON object.
func (t *activeRun) callable(calls []Call) bool {
	for _, call := range calls {
		var input map[string]json.RawMessage
		if _, known := t.tool(call.Name); !known || json.Unmarshal(call.Input, &input) != nil {
			return false
		}
	}
	return len(calls) > 0
}

// answerLostCalls gives results to the calls that a dead process left open.
func (t *activeRun) answerLostCalls() error {
	open := Unanswered(t.messages)
	if len(open) == 0 {
		return nil
	}
	for _, call := range open {
		result := ErrorResult("This call was cut off when the process that made it ended. Nobody knows whether it took effect: check before you repeat it.")
		if tool, ok := t.tool(call.Name); ok && tool.Lost != nil {
			result = tool.Lost(t.invocation(call))
		}
		if err := t.record(call, result, lifecycle.ToolCanceled); err != nil {
			return err
		}
		kept := storedResult(call, result)
		t.messages = joinResult(t.messages, Message{Role: RoleTool, Parts: []Part{{Result: &kept}}})
	}
	sortResults(t.messages) // some of the calls may have been answered before the crash
	return nil
}

func (t *activeRun) tool(name string) (Tool, bool) {
	i := slices.IndexFunc(t.kit.Tools, func(tool Tool) bool { return tool.Spec.Name == name })
	if i < 0 {
		i = slices.IndexFunc(t.kit.Hidden, func(tool Tool) bool { return tool.Spec.Name == name })
		if i < 0 {
			return Tool{}, false
		}
		return t.kit.Hidden[i], true
	}
	return t.kit.Tools[i], true
}
