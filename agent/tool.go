package agent

import (
	"context"
	"encoding/json"

	"pawl/lifecycle"
)

// Tool is something that a model can do: made by a constructor in tools/, listed by the
// kit, run by the loop.
type Tool struct {
	Spec ToolSpec

	// Server is the MCP server whose tool it is; empty for Pawl's own.
	Server string

	// ReadOnly tools change nothing and need no permission.
	ReadOnly bool

	// Label is the call's main argument in one line, for the activity and the card: a path, a
	// pattern, a command. It must accept any input, even invalid JSON. Nil means no label.
	Label func(input json.RawMessage) string

	// Effect says what a call would do, so that permission can be decided. It is called
	// before Run for tools that are not ReadOnly, and must change nothing. Its error
	// becomes the call's result. Nil means that no permission is needed, as for the agent
	// tools, whose subagents ask for themselves.
	Effect func(ctx context.Context, call Invocation) (Effect, error)

	// Run makes the call. It returns when it is done, or promptly when ctx ends, and
	// leaves nothing running that it started for this call. It never panics: bad input
	// gives a Result that names the field.
	Run func(ctx context.Context, call Invocation) Result

	// Lost returns the result of a call that a dead process left without one. Nil means
	// that nobody knows whether it took effect.
	Lost func(call Invocation) Result
}

// Invocation is one call of a tool, with all its authority.
type Invocation struct {
	Call   lifecycle.CallID
	Run    lifecycle.RunID // that makes the call
	Input  json.RawMessage
	Folder string // the run's folder
	// Scope reaches the children of the calling session only. It is nil if nothing can be
	// delegated: in another process, in tests.
	Scope *lifecycle.Scope
	// Environ holds NAME=value pairs to add to the environment of what the call starts:
	// the condition under which it was allowed without a question.
	Environ []string
	// Closed is another such condition: what the call starts runs in the closed sandbox.
	Closed bool
	// Reads, with Closed, is a third: there it changes nothing.
	Reads bool
	// OnStarted is called when a long call has done what depends on the order of calls, such
	// as queueing a run, so that the next call may start. The end of a call implies it.
	// Nil is allowed; call Started.
	OnStarted func()
	// Ask puts a question to a person and waits for the answer; the call and the tool are
	// filled in. Nil if nobody can be asked.
	Ask func(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error)
	// Progress replaces the call's activity on the card. Nil is allowed; use Report.
	Progress func(activity string)
}

// Started lets the next call of the same answer start.
func (i Invocation) Started() {
	if i.OnStarted != nil {
		i.OnStarted()
	}
}

// Report shows what the call is doing.
func (i Invocation) Report(activity string) {
	if i.Progress != nil {
		i.Progress(activity)
	}
}

// Result is the result of a call.
type Result struct {
	Text     string // for the model; the loop replaces an empty text
	View     View   // for people; nil shows Text
	IsError  bool
	Images   []Image
	Consumes []lifecycle.Told // runs whose end this text reports to the parent
	Wrote    string           // full path of the changed file, links resolved; empty: none, or unknown
	// Files is what the call changed in files; nil: nothing, or nobody knows. The call is filled in.
	Files *lifecycle.FilesChanged
	// Instructions are those for the file that the call touched; the loop leaves out what the
	// model has already.
	Instructions []Instruction
	// Offers names hidden tools (Kit.Hidden) that the model is offered from its next request on.
	Offers []string
	// OnRecorded is called once the result and Files stand in the log. Nil is allowed.
	OnRecorded func()

	denied bool // a rule, a hook or a person refused the call
}

// ErrorResult is the result of a call that failed. text says what went wrong and what to do.
func ErrorResult(text string) Result { return Result{Text: text, IsError: true} }

// Effect is what a call would do.
type Effect struct {
	Kind    EffectKind
	Subject string // one line: the path or the command, which rules match
	View    View   // the effect as the person who is asked sees it: a diff, a command
	// AlwaysAsk says why a person is asked in every mode, whatever the rules allow, for
	// reasons that the subject does not show. Empty: the rules and the mode decide.
	AlwaysAsk string
	// Background says that the work continues after the call has returned.
	Background bool
}

// EffectKind is a kind of effect, and the name of rules about it.
type EffectKind string

// The kinds of effect.
const (
	EffectRead  EffectKind = "read"
	EffectEdit  EffectKind = "edit"
	EffectShell EffectKind = "shell"
	EffectFetch EffectKind = "fetch"
	EffectMCP   EffectKind = "mcp" // a call of an MCP server's tool
	// EffectSearch is a search of the web by the model's own server, which Pawl offers or not.
	EffectSearch EffectKind = "search"
)
