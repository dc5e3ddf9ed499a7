package ui

import (
	"pawl/agent"
	"pawl/lifecycle"
)

// sideSizes are the narrowest screen that two sessions share, and a large one.
var sideSizes = [][2]int{{150, 24}, {200, 60}}

// sideBySide is a conversation and the session of one of its subagents, both at work, with text
// in both composers.
func sideBySide(s *screen) {
	s.worked()
	s.typed("and the 漢字 too")
	s.delegate("audit refunds", false)
	s.delegate("compare the ledgers of all years", true)
	s.log(root, "r1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "do not touch the ledger"}})
	s.log("audit refunds", "run audit refunds", lifecycle.Thinking{Text: "Where are they made?"}, lifecycle.Text{Text: aDocument},
		lifecycle.ToolStarted{Call: "t", Tool: "grep", Label: "Refund 漢字 \x1b[2J"},
		lifecycle.ToolEnded{Call: "t", Tool: "grep", Status: lifecycle.ToolOK, View: agent.EncodeView(agent.ListingView{Items: []string{"a.go:1"}, Total: 1})},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "n", From: lifecycle.FromUser, Text: "look at the tests as well"}})
	s.keys("tab")
	s.typed("which of them are tested?")
}
