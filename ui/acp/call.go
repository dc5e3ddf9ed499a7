package acp

import (
	"encoding/json"
	"path/filepath"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

func (t *publisher) begin(e lifecycle.ToolStarted) {
	t.last = sortOther
	t.calls[e.Call] = true
	t.s.send(sdk.StartToolCall(sdk.ToolCallId(e.Call), title(e.Tool, e.Label),
		sdk.WithStartKind(t.s.kind(e.Tool)), sdk.WithStartStatus(sdk.ToolCallStatusInProgress),
		sdk.WithStartLocations(t.s.places(e.Input)), sdk.WithStartRawInput(raw(e.Input))))
}

// end sends the end of a call. That of a subagent lasts as long as its run: its card says when
// it is over.
func (t *publisher) end(e lifecycle.ToolEnded) {
	view := viewOf(e.View)
	if todo, ok := view.(agent.TodoView); ok {
		t.s.send(plan(todo))
	}
	if t.cards.holds(e.Call) {
		return
	}
	t.s.send(sdk.UpdateToolCall(sdk.ToolCallId(e.Call),
		sdk.WithUpdateStatus(callStatus(e.Status)), sdk.WithUpdateContent(t.s.content(view))))
}

func (s *session) kind(tool string) Kind {
	if kind, known := s.kinds[tool]; known {
		return kind
	}
	return KindOther
}

func title(tool, label string) string {
	if label == "" {
		return string(sanitize.Line(tool))
	}
	return string(sanitize.Line(tool + ": " + label))
}

// raw is a call's input as a value; nil if it is not JSON.
func raw(input json.RawMessage) any {
	if !json.Valid(input) {
		return nil
	}
	return input
}

// places are the files that a call is about: tools for one file name it as path.
func (s *session) places(input json.RawMessage) []sdk.ToolCallLocation {
	var named struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(input, &named) != nil || named.Path == "" {
		return nil
	}
	return []sdk.ToolCallLocation{{Path: s.absolute(named.Path)}}
}

func (s *session) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Folder, path)
}

// callStatus is the protocol's status for how a call ended.
func callStatus(status lifecycle.ToolStatus) sdk.ToolCallStatus {
	switch status {
	case lifecycle.ToolOK:
		return sdk.ToolCallStatusCompleted
	case lifecycle.ToolError, lifecycle.ToolDenied, lifecycle.ToolCanceled:
	}
	return sdk.ToolCallStatusFailed
}

func plan(todo agent.TodoView) sdk.SessionUpdate {
	entries := []sdk.PlanEntry{} // an empty list clears the plan
	for _, item := range todo.Items {
		entry := sdk.PlanEntry{Content: string(sanitize.Line(item.Text)), Priority: sdk.PlanEntryPriorityMedium, Status: sdk.PlanEntryStatusPending}
		switch item.State {
		case "active":
			entry.Status = sdk.PlanEntryStatusInProgress
		case "done":
			entry.Status = sdk.PlanEntryStatusCompleted
		}
		entries = append(entries, entry)
	}
	return sdk.UpdatePlan(entries...)
}
