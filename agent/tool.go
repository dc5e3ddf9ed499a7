package agent

import (
	"context"
	"encoding/json"

	"pawl/lifecycle"
)

// Tool is something a model can do, as a value: made by a constructor in tools/,
// listed by the kit, run by the loop.
type Tool struct {
	Spec ToolSpec

	// ReadOnly tools change nothing and are never asked about.
	ReadOnly bool

	// Label is the call's argument in one line, for the activity and the card:
	// a path, a pattern, a command. It must bear any input, also one that is no
	// JSON. Nil means no label.
	Label func(input json.RawMessage) string

	// Effect says what a call would do, for the permission to it. It is called
	// before Run for tools that are not ReadOnly, must not change anything, and
	// its error is the call's result. Nil means: allowed without a question
	// (agent tools, whose children ask for themselves).
	Effect func(ctx context.Context, call Invocation) (Effect, error)

	// Run does it. It returns when it is done or promptly when ctx ends, and
	// leaves nothing behind that was started for this call. It never panics on
	// any input: what does not fit is a Result that names the field.
	Run func(ctx context.Context, call Invocation) Result

	// Lost words the result of a call that a dead process left without one. Nil
	// says that nobody knows whether it took effect.
	Lost func(call Invocation) Result
}

// Invocation is one call of a tool, with all the authority it has.
type Invocation struct {
	Call   lifecycle.CallID
	Input  json.RawMessage
	Folder string // the folder of the run
	// Scope reaches the children of the calling session, and nothing else. It
	// is nil where nothing can be delegated: in a process of its own, in tests.
	Scope *lifecycle.Scope
	// Environ is added to the environment of what the call starts: the condition, as
	// NAME=value, under which it goes ahead without a question.
	Environ []string
	// Begun is told when a call that will wait for long has done what depends on
	// the order of the calls, such as taking its place in a queue: the next one
	// may go on. Nil is allowed, use Started; a call that ends has begun.
	Begun func()
	// Ask puts a question to a person while the call runs, and waits for the answer; the
	// call and the tool are filled in. Nil where nobody can be asked.
	Ask func(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error)
	// Progress replaces the activity of this call on the card; nil is allowed,
	// use Report.
	Progress func(activity string)
}

// Started lets the next call of the same answer go on.
func (i Invocation) Started() {
	if i.Begun != nil {
		i.Begun()
	}
}

// Report tells the card what the call does now.
func (i Invocation) Report(activity string) {
	if i.Progress != nil {
		i.Progress(activity)
	}
}

// Result is what a call gave.
type Result struct {
	Text     string // for the model; the loop says so when it is empty
	View     View   // for people; nil shows Text
	IsError  bool
	Images   []Image
	Consumes []lifecycle.Told // runs whose result this text tells the parent
	Wrote    string           // the file that it changed, by its whole path without links; empty: none, or nobody knows
}

// Fault is the result of a call that did not work: what went wrong, and what to
// do.
func Fault(text string) Result { return Result{Text: text, IsError: true} }

// Effect is what a call would do to the world.
type Effect struct {
	Kind    EffectKind
	Subject string // one line: the path or the command; rules match on it
	View    View   // the same for the person who is asked: a diff, a command
	// Delicate says why a person is asked in every mode, whatever rule allows it, for
	// what the subject alone does not tell; empty: the rules and the mode decide.
	Delicate string
	// Background says that it goes on when the call has come back.
	Background bool
}

// EffectKind names a sort of effect; it is also the name of a rule about it.
type EffectKind string

// The sorts of effect.
const (
	EffectRead  EffectKind = "read"
	EffectEdit  EffectKind = "edit"
	EffectShell EffectKind = "shell"
	EffectFetch EffectKind = "fetch"
	EffectMCP   EffectKind = "mcp" // whatever a tool of somebody else's server does
)
