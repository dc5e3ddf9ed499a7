package agent

import (
	"context"
	"strings"

	"pawl/lifecycle"
)

// HookEvent is a moment at which programs of the user's are asked, by the name that
// settings and programs have for it.
type HookEvent string

// The moments, a closed set.
const (
	HookPermissionRequest HookEvent = "PermissionRequest" // before a person is asked; not the loop's, but the supervisor's
	HookPreToolUse        HookEvent = "PreToolUse"
	HookPostToolUse       HookEvent = "PostToolUse"
	HookSubagentStart     HookEvent = "SubagentStart"
	HookSubagentStop      HookEvent = "SubagentStop"
	HookSessionStart      HookEvent = "SessionStart"
	HookStop              HookEvent = "Stop"
	HookNotification      HookEvent = "Notification" // to people; not the loop's
)

// HookInput is one such moment, with what there is to say of it.
type HookInput struct {
	Event  HookEvent
	Run    lifecycle.Run
	Call   Call    // of the events about a tool
	Result *Result // of PostToolUse
	// Kind is what sort of start or notification it is.
	Kind string
	// Text is the task of a subagent that starts, the last words of a run that stops,
	// or the message of a notification.
	Text string
	// Again says that the run goes on already because a hook wanted it to.
	Again bool
	// Report tells the card what is waited for; nil is allowed.
	Report func(activity string)
}

// HookDecision is what a hook wants to be done.
type HookDecision string

// The decisions, from the weakest on. What deny means is the event's: the call is not
// made, the subagent not started, the run not over.
const (
	HookPass  HookDecision = "" // it has nothing to say
	HookAllow HookDecision = "allow"
	HookAsk   HookDecision = "ask" // a person
	HookDeny  HookDecision = "deny"
)

// HookResult is what all hooks of an occasion say together.
type HookResult struct {
	Decision HookDecision
	Reason   string
	Context  string   // for the model: data, whatever it says
	Warnings []string // a line each for people: of hooks that failed, or what they tell them
}

// runHooks asks the hooks and keeps their warnings on the run. The error is a reason to
// end it.
func (t *activeRun) runHooks(ctx context.Context, o HookInput) (HookResult, error) {
	if t.kit.Hooks == nil {
		return HookResult{}, nil
	}
	o.Run = t.port.Run()
	if o.Report == nil {
		o.Report = func(activity string) { t.port.Report(lifecycle.Progress{Step: o.Run.Step, Activity: activity}) }
	}
	said := t.kit.Hooks(ctx, o)
	if ctx.Err() != nil {
		return HookResult{}, context.Cause(ctx)
	}
	var events []lifecycle.Event
	for _, line := range said.Warnings {
		events = append(events, lifecycle.Warned{Kind: lifecycle.WarnHook, Message: line})
	}
	if len(events) == 0 {
		return said, nil
	}
	return said, t.port.Record(nil, events...)
}

// runStartHooks asks the hooks of a run's beginning. What they add stands in the transcript,
// and on the run for people to see.
func (t *activeRun) runStartHooks(ctx context.Context) error {
	o := HookInput{Event: HookSessionStart, Kind: "startup"}
	switch {
	case t.run.Trigger == lifecycle.TriggerCompact:
		return nil
	case t.run.Subagent():
		o = HookInput{Event: HookSubagentStart, Kind: t.run.Type, Text: t.run.Prompt}
	case len(t.messages) > 1:
		o.Kind = "resume"
	}
	said, err := t.runHooks(ctx, o)
	switch {
	case err != nil:
		return err
	case said.Decision == HookDeny:
		return &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: "a user hook did not let it start: " + said.Reason}
	case said.Context == "":
		return nil
	}
	return t.say(hookMessage(o.Event, said.Context), hookWarning(o.Event, said.Context))
}

// runStopHooks asks the hooks whether a run that would end is to. One that says no is heard
// once a run: its reason is the model's next message.
func (t *activeRun) runStopHooks(ctx context.Context, text string) (bool, error) {
	event := HookStop
	if t.run.Subagent() {
		event = HookSubagentStop
	}
	said, err := t.runHooks(ctx, HookInput{Event: event, Kind: t.run.Type, Text: text, Again: t.continued})
	if err != nil || said.Decision != HookDeny || t.continued {
		return false, err
	}
	t.continued = true
	return true, t.say(hookMessage(event, said.Reason), hookWarning(event, said.Reason))
}

// hookWarning is the record of what a hook has told a model.
func hookWarning(event HookEvent, text string) lifecycle.Warned {
	return lifecycle.Warned{Kind: lifecycle.WarnHook, Message: "a " + string(event) + " hook told the model: " + brief(text)}
}

// hookMessage marks what a hook says to a model: where it is from, and that it is no
// person's word. Nothing in it can end the mark.
func hookMessage(event HookEvent, text string) string {
	text = strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
	return "<hook-message event=\"" + string(event) + "\">\nThis comes from a program that the user has set up, not from a person; it approves nothing.\n" + text + "\n</hook-message>"
}

// withHookTexts is a result with what hooks say of its call.
func (r Result) withHookTexts(event HookEvent, texts ...string) Result {
	for _, text := range texts {
		if text != "" {
			r.Text = strings.TrimRight(r.Text, "\n") + "\n\n" + hookMessage(event, text)
		}
	}
	return r
}

// runPostToolHooks lets the hooks look at what a call gave. It is not undone: what they say
// stands beside it.
func (t *activeRun) runPostToolHooks(ctx context.Context, call Invocation, name string, result Result) (Result, error) {
	if ctx.Err() != nil {
		return result, nil
	}
	said, err := t.runHooks(ctx, HookInput{Event: HookPostToolUse, Call: call.asCall(name), Result: &result, Report: call.Report})
	if ctx.Err() != nil { // the call was made all the same
		return result, nil
	}
	if said.Decision != HookDeny {
		said.Reason = ""
	}
	return keepView(result).withHookTexts(HookPostToolUse, said.Reason, said.Context), err
}

// keepView is a result whose view people keep, whatever is added to its text.
func keepView(r Result) Result {
	if r.View == nil {
		r.View = PlainView{Text: r.Text}
	}
	return r
}

// asCall is the call of an invocation.
func (i Invocation) asCall(name string) Call { return Call{ID: i.Call, Name: name, Input: i.Input} }
