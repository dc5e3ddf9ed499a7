package export

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/mask/masktest"
	"pawl/lifecycle"
)

// No planted secret is in any export, wherever it was put, and none is in a
// stream.
func TestNoExportHoldsASecret(t *testing.T) {
	for name, c := range masktest.Planted(t) {
		if strings.Contains(string(c.Secret), "\n") { // compared line by line below
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := planting(t, c.With(string(c.Secret)))
			s.secrets = []string{"correct horse battery"}
			require.NotContains(t, string(s.export(FormatJSON, s.upto())), string(c.Secret))
			require.NotContains(t, string(s.export(FormatMarkdown, s.upto())), string(c.Secret))
		})
	}
	s := planting(t, string(masktest.Planted(t)["private key"].Secret))
	for _, format := range Formats() {
		require.NotContains(t, string(s.export(format, s.upto())), "MIIEow")
	}
}

// planting is a session with this text in every place that holds one.
func planting(t *testing.T, text string) *story {
	s := newStory(t)
	s.facts.Title, s.facts.Folder, s.facts.Model = text, text, text
	s.spawn(root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: text, From: lifecycle.FromUser}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	input := encodedBytes(t, object{"command": text, text: []any{text, object{"deep": text}}})
	s.add(root, "r-p1", lifecycle.Thinking{Text: text}, lifecycle.Text{Text: text},
		started("c-1", text, text, string(input)),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: root, Run: "r-p1", Call: "c-1", Tool: text, Subject: text}},
		lifecycle.PermissionDenied{Question: "q", Tool: text, Subject: text, By: "rule", Reason: text},
		toolEnded("c-1", text, lifecycle.ToolError, agent.CommandView{Command: text, Output: text, Note: text}),
		lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: text}, lifecycle.Waiting{Why: text},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: text}},
		lifecycle.MessageWithdrawn{Message: "m", Text: text})
	s.answered(root, "r-p1", thought(text), say(text), call("c-1", text, string(input)), call("c-2", text, "no JSON: "+text))
	s.result(root, "r-p1", "c-1", text, text, true)
	s.write(root, "r-p1", lifecycle.EntrySummary, object{"text": text})
	s.spawn("s-1", "r-1", child("c-1", text, text, text, true), lifecycle.Started{}, lifecycle.Compacted{Summary: text},
		lifecycle.Ended{State: lifecycle.StateFailed, Reason: text, Partial: text, Error: &lifecycle.Failure{Kind: lifecycle.FailTool, Message: text}},
		lifecycle.NotificationQueued{})
	s.told("r-p1", "r-1")
	s.add(root, "r-p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})
	return s
}
