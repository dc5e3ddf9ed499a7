package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pawl/agent"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// What every screen of Pawl is held to.
var inert, narrow, hostileText = picturetest.RequireInert, picturetest.RequireNarrow, picturetest.HostileText

// spoiled plays every sort of record, with one text in every field.
func spoiled(s *screen, x string) {
	id := lifecycle.CallID(x)
	view := func(v agent.View) json.RawMessage { return agent.EncodeView(v) }
	spec := lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Type: x, Description: x, Model: x, Prompt: x, From: lifecycle.FromUser, Folder: x, Attached: []lifecycle.Attachment{{Name: x, Note: x}, {Name: x, Note: x, Left: true}}}
	s.log(root, "r1", lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.Thinking{Text: x}, lifecycle.Text{Text: x}, lifecycle.Waiting{Why: x, Attempt: 2})
	for i, v := range []agent.View{
		agent.PlainView{Text: x},
		agent.CommandView{Command: x, Output: x, ExitCode: 1, Note: x},
		agent.DiffView{Path: x, Diff: "+" + x},
		agent.ListingView{Title: x, Items: []string{x}},
		agent.TodoView{Items: []agent.TodoItem{{Text: x, State: x}}},
		agent.RunView{Session: "a", Run: "b"},
	} {
		call := lifecycle.CallID(fmt.Sprint(i))
		status := []lifecycle.ToolStatus{lifecycle.ToolOK, lifecycle.ToolError}[i%2]
		s.log(root, "r1", lifecycle.ToolStarted{Call: call, Tool: x, Label: x, Input: json.RawMessage(`"x"`)}, lifecycle.ToolEnded{Call: call, Tool: x, Status: status, View: view(v)})
	}
	s.log(root, "r1", lifecycle.ToolStarted{Call: id, Tool: x, Label: x}, lifecycle.PermissionDenied{Call: id, Tool: x, Subject: x, By: lifecycle.Decider(x), Reason: x},
		lifecycle.PermissionDenied{Call: "?", Tool: x, Subject: x, By: lifecycle.Decider(x), Reason: x},
		lifecycle.Warned{Kind: lifecycle.WarningKind(x), Message: x}, lifecycle.Compacted{Summary: x},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: x, Text: x}}, lifecycle.MessageTaken{Message: "m", Step: 2, From: x, Text: x},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "n", From: x, Text: x}})
	spec.Parent, spec.Call, spec.From = root, id, lifecycle.FromAgent
	s.log("sub", "r2", lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.ToolStarted{Call: "c", Tool: x, Label: x})
	s.send(lifecycle.Updates{Fault: x, Progress: []lifecycle.Progress{{Session: "sub", Run: "r2", Step: 1, Text: x, Thinking: x, Activity: x}}})
	s.look()
	s.options.Files = func(context.Context, string) []string { return []string{x, x + "/"} }
	s.typed(" @")
	s.look()
	s.keys("tab")
	s.look()
	s.keys("ctrl+u", "tab")
	s.look()
	s.keys("left", "down", "ctrl+o")
	s.look()
	s.log("sub", "r2", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "sub", Run: "r2", Tool: x, Subject: x, Who: x, Why: x, View: view(agent.DiffView{Diff: x})}})
	s.look()
	s.log("sub", "r2", lifecycle.PermissionGranted{Question: "q"}, lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailureKind(x), Message: x}, Reason: x, Partial: x})
	s.look()
	s.log(root, "r1", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailureKind(x), Message: x}})
	s.look()
	spec.Kind, spec.Command, spec.Prompt = lifecycle.KindShell, x, ""
	s.log("shell", "r3", lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "shell", Run: "r3", Text: x, Activity: x}}})
	s.show("shell")
	s.look()
	s.log("shell", "r3", lifecycle.Ended{State: lifecycle.StateFailed, Result: x, Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: x}})
	s.look()
}

// look checks the picture as it stands.
func (s *screen) look() {
	content := s.View().Content
	inert(s.t, content)
	inert(s.t, s.View().WindowTitle)
	narrow(s.t, content, s.width, s.height)
}

func TestHostileTextIsInert(t *testing.T) {
	texts := 0
	defer func() { soaktest.Tried(t, texts, "hostile texts in every field of the screen") }()
	rapid.Check(t, func(r *rapid.T) {
		texts++
		x := hostileText().Draw(r, "text")
		s := newScreen(t, rapid.IntRange(1, 130).Draw(r, "width"), rapid.IntRange(1, 50).Draw(r, "height"), func(o *Options, term *terminal.Features) {
			o.Model, o.Folder, o.Branch, o.Mode, o.Version = x, x, x, x, x
			o.Drafts = map[lifecycle.SessionID]string{root: x}
			o.Unready = x
			term.Colour, term.Links = rapid.Bool().Draw(r, "colour"), rapid.Bool().Draw(r, "links")
			o.Workspace = "/src/shop"
		})
		s.send(missingProtection(x))
		spoiled(s, x)
		s.route.err = fmt.Errorf("%s", x)
		s.keys("esc", "esc", "ctrl+s", "enter")
		s.look()
	})
}

// Each scene is drawn in a fifth of the sizes, the next one in the next fifth; in
// PAWL_SOAK each is in all.
func TestEverySizeHolds(t *testing.T) {
	sizes := 0
	for i, scene := range scenes {
		s := newScreen(t, 80, 24, func(_ *Options, term *terminal.Features) { term.Colour = true })
		scene.play(s)
		turn := i
		for _, width := range []int{1, 2, 3, 4, 7, 10, 19, 39, 40, 59, 61, 79, 111, 200} {
			for _, height := range []int{1, 2, 3, 5, 6, 8, 9, 10, 17, 18, 30, 60} {
				turn++
				if turn%5 != 0 && !soaktest.Wanted() {
					continue
				}
				s.width, s.height = width, height
				s.picture.ready = false
				s.look()
				sizes++
			}
		}
	}
	soaktest.Tried(t, sizes, "screens of a scene in a size")
}

func TestWideCharactersKeepTheLinesStraight(t *testing.T) {
	s := newScreen(t, 40, 20)
	s.ask(strings.Repeat("漢字かな", 30))
	s.log(root, "r1", lifecycle.Text{Text: strings.Repeat("한국어 ", 40) + "\n\n| 表 | 值 |\n|---|---|\n| " + strings.Repeat("長", 50) + " | 1 |"})
	s.delegate(strings.Repeat("調査", 20), true)
	s.pass(time.Second)
	s.look()
}
