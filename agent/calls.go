package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// runCalls runs the calls of one answer. Read-only calls start at once. Calls that change
// something run one after another, in the order in which the model made them. Subagents
// take their places in the queue in that order, then run in parallel. The results enter
// the transcript in the order of the calls.
func (t *activeRun) runCalls(ctx context.Context, calls []Call) error {
	results := make([]Part, len(calls))
	errs := make([]error, len(calls))
	changed, placed := closed(), closed() // when the changes and the placings so far are done
	var all sync.WaitGroup
	for i, call := range calls {
		ready, done, onStarted := changed, make(chan struct{}), func() {}
		tool, ok := t.tool(call.Name)
		switch {
		case !ok || tool.ReadOnly:
		case tool.Effect != nil:
			changed = done
		default: // a subagent waits only for its place in the queue
			ready, placed = placed, make(chan struct{})
			place := placed
			onStarted = sync.OnceFunc(func() { close(place) })
		}
		all.Go(func() {
			defer close(done)
			defer onStarted()
			<-ready
			results[i].Result, errs[i] = t.runCall(ctx, call, onStarted)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.messages = append(t.messages, Message{Role: RoleTool, Parts: results})
	for _, part := range results {
		t.offer(part.Result.Offers)
	}
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

// runCall takes one call from permission to its recorded result. An error ends the run;
// anything that the model can react to is a result.
func (t *activeRun) runCall(ctx context.Context, call Call, onStarted func()) (*CallResult, error) {
	result, status, err := t.try(ctx, call, onStarted)
	if err != nil {
		// The call still needs a result, or the transcript would stay broken.
		lost := ErrorResult("Not finished: the run ended. " + err.Error())
		lost.Files, lost.OnRecorded = result.Files, result.OnRecorded
		return nil, errors.Join(err, t.record(call, lost, lifecycle.ToolCanceled))
	}
	result = t.addNested(result)
	kept := storedResult(call, result)
	return &kept, t.record(call, result, status)
}

// record stores the end of a call, its result, and the runs that the result reports.
func (t *activeRun) record(call Call, result Result, status lifecycle.ToolStatus) error {
	end := lifecycle.ToolEnded{Call: call.ID, Tool: call.Name, Status: status, View: EncodeView(keepView(result).View), Wrote: result.Wrote, Instructions: namesOf(result.Instructions)}
	if err := t.port.Answered(resultEntry(t.run.Session, t.run.ID, storedResult(call, result)), end, result.Files, result.Consumes); err != nil {
		return err
	}
	if result.OnRecorded != nil {
		result.OnRecorded()
	}
	return nil
}

// storedResult is a result as the transcript stores it, never with an empty text.
func storedResult(call Call, result Result) CallResult {
	if strings.TrimSpace(result.Text) == "" {
		result.Text = "(the tool gave no output)"
	}
	return CallResult{Call: call.ID, Name: call.Name, Text: result.Text, IsError: result.IsError, Images: result.Images, Instructions: result.Instructions, Offers: result.Offers}
}

// try asks for permission and runs the tool. A panic in a tool ends the run, because the
// model should not build on what is half done.
func (t *activeRun) try(ctx context.Context, call Call, onStarted func()) (result Result, status lifecycle.ToolStatus, err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("a tool panicked", "tool", call.Name, "panic", r, "stack", string(debug.Stack()))
			err = &lifecycle.Failure{Kind: lifecycle.FailTool, Message: fmt.Sprintf("a bug in the tool %s: %v", call.Name, r)}
		}
	}()
	if ctx.Err() != nil {
		return ErrorResult("Not run: the run was stopped before it."), lifecycle.ToolCanceled, nil
	}
	tool, ok := t.tool(call.Name)
	if !ok {
		return ErrorResult(t.unknownTool(call.Name)), lifecycle.ToolError, nil
	}
	if !json.Valid(call.Input) {
		return ErrorResult(fmt.Sprintf("Not run: the arguments of %s are not valid JSON. Call it again with one JSON object.", call.Name)), lifecycle.ToolError, nil
	}
	invocation := t.invocation(call)
	invocation.OnStarted = onStarted
	advice, refused, err := t.permit(ctx, tool, &invocation)
	if err != nil || refused != nil {
		if ctx.Err() != nil {
			return ErrorResult("Not run: the run was stopped while it waited for permission."), lifecycle.ToolCanceled, nil
		}
		if err != nil {
			return Result{}, "", err
		}
		return *refused, refused.refusedAs(), nil
	}
	result = tool.Run(ctx, invocation)
	if result, err = t.runPostToolHooks(ctx, invocation, call.Name, result); err != nil {
		return result, "", err
	}
	result = result.withHookTexts(HookPreToolUse, advice)
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

// refusedAs is the status of a call that was not made: it was denied, or what it would do is not known.
func (r Result) refusedAs() lifecycle.ToolStatus {
	if r.denied {
		return lifecycle.ToolDenied
	}
	return lifecycle.ToolError
}

func (t *activeRun) invocation(call Call) Invocation {
	step := t.port.Run().Step
	return Invocation{
		Call: call.ID, Run: t.run.ID, Input: call.Input, Folder: t.run.Folder, Scope: t.port.Scope(),
		Ask: func(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
			q.Call, q.Tool = call.ID, call.Name
			return t.port.Ask(ctx, t.asEffect(call, q))
		},
		Progress: func(activity string) {
			t.port.Report(lifecycle.Progress{Step: step, Activity: activity})
		},
	}
}

// asEffect adds to a tool's own question, if it is about an effect, what hooks and rules need of it.
func (t *activeRun) asEffect(call Call, q lifecycle.Question) lifecycle.Question {
	if q.Effect == "" {
		return q
	}
	q.Input = call.Input
	if t.kit.Propose != nil {
		q.Rules = t.kit.Propose(Effect{Kind: EffectKind(q.Effect), Subject: q.Subject, AlwaysAsk: q.AlwaysAsk})
	}
	return q
}

func (t *activeRun) label(call Call) string {
	tool, ok := t.tool(call.Name)
	if !ok || tool.Label == nil {
		return ""
	}
	label, _, _ := strings.Cut(tool.Label(call.Input), "\n")
	return t.withName(label)
}

// withName replaces the session id at the start of a label by the quoted description of
// that subagent or command, because an id means nothing to a person.
func (t *activeRun) withName(label string) string {
	scope := t.port.Scope()
	id, rest := label, ""
	if at := strings.IndexAny(label, ": "); at >= 0 {
		id, rest = label[:at], label[at:]
	}
	if scope == nil || id == "" {
		return label
	}
	run, err := scope.Latest(lifecycle.SessionID(id))
	if err != nil || run.Description == "" {
		return label
	}
	return strconv.Quote(words.CutLine(run.Description, maxName)) + rest
}

func (t *activeRun) unknownTool(name string) string {
	var names []string
	for _, tool := range t.kit.Tools {
		names = append(names, tool.Spec.Name)
	}
	slices.Sort(names)
	return fmt.Sprintf("There is no tool %q. The tools are: %s.", name, strings.Join(names, ", "))
}

// asJSON returns valid JSON unchanged and anything else as a JSON string.
func asJSON(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	return encode(string(input))
}
