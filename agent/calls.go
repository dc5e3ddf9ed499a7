package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"pawl/lifecycle"
)

// answer runs the calls of one step and gives each its result. Calls that only
// read, or that start subagents, run side by side; one that changes something
// waits for those before it that do, so that changes happen in the order in
// which the model asked for them. Subagents take their places in that order too,
// and then run side by side. However they end, the results stand in the
// transcript in the order of the calls.
func (t *turn) answer(ctx context.Context, calls []Call) error {
	results := make([]Part, len(calls))
	errs := make([]error, len(calls))
	changed, placed := closed(), closed() // by the calls so far
	var all sync.WaitGroup
	for i, call := range calls {
		ready, done, begun := changed, make(chan struct{}), func() {}
		tool, ok := t.tool(call.Name)
		switch {
		case !ok || tool.ReadOnly:
		case tool.Effect != nil:
			changed = done
		default: // delegation waits for its place alone
			ready, placed = placed, make(chan struct{})
			place := placed
			begun = sync.OnceFunc(func() { close(place) })
		}
		all.Go(func() {
			defer close(done)
			defer begun()
			<-ready
			results[i].Result, errs[i] = t.perform(ctx, call, begun)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.messages = append(t.messages, Message{Role: RoleTool, Parts: results})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// perform runs one call, from the question whether it may to its result on disk.
// An error ends the run; anything that the model can do something about is a
// result.
func (t *turn) perform(ctx context.Context, call Call, begun func()) (*CallResult, error) {
	result, status, err := t.try(ctx, call, begun)
	if err != nil {
		// The call still gets its result, or the transcript would be broken for good.
		lost := Fault("Not finished: the run ended. " + err.Error())
		return nil, errors.Join(err, t.record(call, lost, lifecycle.ToolCanceled))
	}
	kept := t.kept(call, result)
	return &kept, t.record(call, result, status)
}

// record writes the end of a call, its result, and whose end the result tells.
func (t *turn) record(call Call, result Result, status lifecycle.ToolStatus) error {
	view := result.View
	if view == nil {
		view = PlainView{Text: result.Text}
	}
	end := lifecycle.ToolEnded{Call: call.ID, Tool: call.Name, Status: status, View: EncodeView(view)}
	return t.port.Answered(resultEntry(t.run.Session, t.run.ID, t.kept(call, result)), end, result.Consumes)
}

// kept is a result as the transcript keeps it: never empty.
func (t *turn) kept(call Call, result Result) CallResult {
	text := result.Text
	if strings.TrimSpace(text) == "" {
		text = "(the tool gave no output)"
	}
	return CallResult{Call: call.ID, Name: call.Name, Text: text, IsError: result.IsError, Images: result.Images}
}

// try asks for permission and runs the tool. A panic in a tool is the run's end:
// what it left half done is not for the model to work on.
func (t *turn) try(ctx context.Context, call Call, begun func()) (result Result, status lifecycle.ToolStatus, err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("a tool panicked", "tool", call.Name, "panic", r, "stack", string(debug.Stack()))
			err = &lifecycle.Failure{Kind: lifecycle.FailTool, Message: fmt.Sprintf("a bug in the tool %s: %v", call.Name, r)}
		}
	}()
	if ctx.Err() != nil {
		return Fault("Not run: the run was stopped before it."), lifecycle.ToolCanceled, nil
	}
	tool, ok := t.tool(call.Name)
	if !ok {
		return Fault(t.unknownTool(call.Name)), lifecycle.ToolError, nil
	}
	if !json.Valid(call.Input) {
		return Fault(fmt.Sprintf("Not run: the arguments of %s are not valid JSON. Call it again with one JSON object.", call.Name)), lifecycle.ToolError, nil
	}
	invocation := t.invocation(call)
	invocation.Begun = begun
	if refused, err := t.permit(ctx, tool, invocation); err != nil || refused != nil {
		if ctx.Err() != nil {
			return Fault("Not run: the run was stopped while it waited for permission."), lifecycle.ToolCanceled, nil
		}
		if err != nil {
			return Result{}, "", err
		}
		return *refused, refusedStatus(*refused), nil
	}
	result = tool.Run(ctx, invocation)
	switch {
	case !result.IsError:
		status = lifecycle.ToolOK
	case ctx.Err() != nil:
		status = lifecycle.ToolCanceled
	default:
		status = lifecycle.ToolError
	}
	return result, status, nil
}

// denied opens the result of a denial, to tell it from an effect that could not be
// worked out.
const denied = "Denied: "

func refusedStatus(r Result) lifecycle.ToolStatus {
	if strings.HasPrefix(r.Text, denied) {
		return lifecycle.ToolDenied
	}
	return lifecycle.ToolError
}

// permit decides whether a call may go ahead. Nil, nil means yes.
func (t *turn) permit(ctx context.Context, tool Tool, call Invocation) (*Result, error) {
	if tool.ReadOnly || tool.Effect == nil {
		return nil, nil
	}
	effect, err := tool.Effect(ctx, call)
	if err != nil {
		fault := Fault(err.Error())
		return &fault, nil
	}
	name := tool.Spec.Name
	if t.kit.Permit != nil {
		allow, ask, reason := t.kit.Permit(effect)
		if allow {
			return nil, nil
		}
		if !ask {
			return refuse(name, reason), t.port.Record(nil, lifecycle.PermissionDenied{
				Call: call.Call, Tool: name, Subject: effect.Subject, By: "rule", Reason: reason,
			})
		}
	}
	q := lifecycle.Question{
		Call: call.Call, Tool: name, Subject: effect.Subject, View: EncodeView(effect.View), Effect: string(effect.Kind),
	}
	if t.kit.Propose != nil {
		q.Rules = t.kit.Propose(effect)
	}
	answer, err := t.port.Ask(ctx, q)
	switch {
	case err != nil || answer.Allow:
		return nil, err
	case answer.By == "nobody":
		return refuseUnasked(name), nil
	case answer.By == "person" && answer.Reason != "":
		return refuseFor(answer.Reason), nil
	}
	return refuse(name, answer.Reason), nil
}

// refuseFor tells the model why a person said no, in their words: they may be what to
// do instead.
func refuseFor(reason string) *Result {
	r := Fault(denied + "the user said no to this call, and wrote: " + reason + "\nDo as that says. Where it says nothing of how to go on, do not try to reach the same by another way.")
	return &r
}

// refuseUnasked tells the model that there was no person to ask, with and without a
// screen. It is no verdict: who reads of it later may still allow the call.
func refuseUnasked(tool string) *Result {
	r := Fault(denied + "this needs a person's yes, and nobody was there to be asked. Go on without it and do not try to reach the same by another way; if you need it, say in your answer what you need " + tool + " for: the user may grant it later, and you will be told.")
	return &r
}

func refuse(tool, reason string) *Result {
	if reason == "" {
		reason = "the user said no to this call"
	}
	r := Fault(denied + reason + ". Do not try to reach the same by another way; go on without it, or say in your answer that you need " + tool + ".")
	return &r
}

func (t *turn) invocation(call Call) Invocation {
	step := t.port.Run().Step
	return Invocation{
		Call: call.ID, Input: call.Input, Folder: t.run.Folder, Scope: t.port.Scope(),
		Progress: func(activity string) {
			t.port.Report(lifecycle.Progress{Step: step, Activity: activity})
		},
	}
}

func (t *turn) label(call Call) string {
	tool, ok := t.tool(call.Name)
	if !ok || tool.Label == nil {
		return ""
	}
	label, _, _ := strings.Cut(tool.Label(call.Input), "\n")
	return label
}

func (t *turn) unknownTool(name string) string {
	var names []string
	for _, tool := range t.kit.Tools {
		names = append(names, tool.Spec.Name)
	}
	slices.Sort(names)
	return fmt.Sprintf("There is no tool %q. The tools are: %s.", name, strings.Join(names, ", "))
}

// asJSON keeps arguments that are JSON as they are, and others as a JSON string,
// so that a record is always one.
func asJSON(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	return encode(string(input))
}
