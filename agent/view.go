package agent

import (
	"encoding/json"
	"fmt"

	"pawl/lifecycle"
)

// View is what a person sees of a tool's result. The set is closed: the screen and the
// export switch on it, so that a new tool needs no change there. Texts in views are raw;
// whoever shows them passes them through sanitize first.
//
//sumtype:decl
type View interface{ view() }

// The six views.
type (
	// PlainView is text without structure.
	PlainView struct {
		Text string `json:"text"`
	}

	// CommandView is a program that was run.
	CommandView struct {
		Command  string `json:"command"`
		Output   string `json:"output"` // both streams, in the order they came
		ExitCode int    `json:"exit_code"`
		Note     string `json:"note,omitempty"` // stopped, timed out, cut
	}

	// DiffView is a change of one file, as a unified diff.
	DiffView struct {
		Path    string `json:"path"`
		Diff    string `json:"diff"`
		Added   int    `json:"added"`
		Removed int    `json:"removed"`
		New     bool   `json:"new,omitempty"`
	}

	// ListingView lists files, matches or entries.
	ListingView struct {
		Title string   `json:"title"`
		Items []string `json:"items"`
		Total int      `json:"total"` // how many there are; Items may hold fewer
	}

	// TodoView is the plan as it is now.
	TodoView struct {
		Items []TodoItem `json:"items"`
	}

	// RunView refers to a subagent's run, whose card is drawn from the log.
	RunView struct {
		Session lifecycle.SessionID `json:"session"`
		Run     lifecycle.RunID     `json:"run"`
	}
)

// TodoItem is one line of a plan.
type TodoItem struct {
	Text  string `json:"text"`
	State string `json:"state"` // pending, active, done
}

func (PlainView) view()   {}
func (CommandView) view() {}
func (DiffView) view()    {}
func (ListingView) view() {}
func (TodoView) view()    {}
func (RunView) view()     {}

// EncodeView returns the stored form of a view; nil for nil.
func EncodeView(v View) json.RawMessage {
	switch v := v.(type) {
	case nil:
		return nil
	case PlainView:
		return tagged("plain", v)
	case CommandView:
		return tagged("command", v)
	case DiffView:
		return tagged("diff", v)
	case ListingView:
		return tagged("listing", v)
	case TodoView:
		return tagged("todo", v)
	case RunView:
		return tagged("run", v)
	}
	panic(fmt.Sprintf("agent: %T is not in the closed set of views", v))
}

type taggedView struct {
	Kind string          `json:"kind"`
	View json.RawMessage `json:"view"`
}

func tagged(kind string, v any) json.RawMessage {
	return encode(taggedView{Kind: kind, View: encode(v)})
}

// DecodeView reads what EncodeView wrote. Empty input gives nil.
func DecodeView(b json.RawMessage) (View, error) {
	if len(b) == 0 {
		return nil, nil
	}
	var t taggedView
	if err := json.Unmarshal(b, &t); err != nil {
		return nil, fmt.Errorf("read view: %w", err)
	}
	switch t.Kind {
	case "plain":
		return decodeView[PlainView](t.View)
	case "command":
		return decodeView[CommandView](t.View)
	case "diff":
		return decodeView[DiffView](t.View)
	case "listing":
		return decodeView[ListingView](t.View)
	case "todo":
		return decodeView[TodoView](t.View)
	case "run":
		return decodeView[RunView](t.View)
	}
	return nil, fmt.Errorf("read view: unknown kind %q", t.Kind)
}

func decodeView[V View](b []byte) (View, error) {
	var v V
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, fmt.Errorf("read view: %w", err)
	}
	return v, nil
}
