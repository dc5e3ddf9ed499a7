package ui

import (
	"time"

	"pawl/lifecycle"
)

// overTime is a session in which all happened that a timeline shows.
func overTime(s *screen) {
	const audit, ledgers, waits = "audit refunds", "compare the ledgers of all years", "waits"
	run := func(session lifecycle.SessionID) lifecycle.RunID { return lifecycle.RunID("run " + session) }
	tool := func(session lifecycle.SessionID, id lifecycle.RunID, call lifecycle.CallID, name, label string, took time.Duration, status lifecycle.ToolStatus) {
		s.log(session, id, lifecycle.ToolStarted{Call: call, Tool: name, Label: label})
		s.pass(took)
		s.log(session, id, lifecycle.ToolEnded{Call: call, Tool: name, Status: status})
	}
	s.ask("Fan out.")
	s.pass(4 * time.Second)
	s.log(root, "r1", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 900, OutputTokens: 80, Cost: 0.0184}})
	s.delegate(audit, true)
	s.delegate(ledgers, true)
	s.log(waits, run(waits), lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Type: "explore", Description: "waits its turn", Background: true, Trigger: lifecycle.TriggerAgent, Model: "anthropic/claude-small"}}, lifecycle.Queued{Position: 1})
	s.pass(6 * time.Second)
	s.log(audit, run(audit), lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 4200, OutputTokens: 310, Cost: 0.42}})
	tool(audit, run(audit), "a1", "read", "internal/shop/refund.go", 2*time.Second, lifecycle.ToolOK)
	tool(audit, run(audit), "a2", "shell", "go test ./internal/shop", 5*time.Second, lifecycle.ToolError)
	s.log(audit, run(audit), lifecycle.StepStarted{Step: 2}, lifecycle.Waiting{Why: "rate limited; asking again in 3s", For: 3 * time.Second, Attempt: 2})
	s.log(audit, run(audit), lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "look at the tests too"}})
	s.pass(3 * time.Second)
	s.log(audit, run(audit), lifecycle.Text{Text: "Refunds are given twice."}, lifecycle.UsageReported{},
		lifecycle.StepStarted{Step: 3}, lifecycle.MessageTaken{Message: "m", Step: 3, From: lifecycle.FromUser, Text: "look at the tests too"})
	s.pass(4 * time.Second)
	s.end(audit, run(audit), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	s.log(audit, run(audit), lifecycle.NotificationQueued{}, lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})
	s.log(waits, run(waits), lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.pass(2 * time.Second)
	s.log(ledgers, run(ledgers), lifecycle.UsageReported{}, lifecycle.ToolStarted{Call: "l1", Tool: "shell", Label: "curl ledger.example"},
		lifecycle.PermissionDenied{Call: "l1", Tool: "shell", Subject: "curl ledger.example", By: "nobody", Reason: "nobody to ask"},
		lifecycle.ToolEnded{Call: "l1", Tool: "shell", Status: lifecycle.ToolDenied})
	s.pass(6 * time.Second)
	s.log(ledgers, run(ledgers), lifecycle.StepStarted{Step: 2}, lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: "80 % of the budget is spent"}, lifecycle.Compacted{Before: 120_000, After: 9000})
	s.pass(5 * time.Second)
	s.log(waits, run(waits), lifecycle.UsageReported{}, lifecycle.ToolStarted{Call: "w1", Tool: "edit", Label: "refund.go"},
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: waits, Run: run(waits), Call: "w1", Tool: "edit", Subject: "refund.go"}})
	s.pass(9 * time.Second)
	s.log(waits, run(waits), lifecycle.PermissionGranted{Question: "q", Call: "w1", By: "person"})
	s.pass(3 * time.Second)
	s.log(waits, run(waits), lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.pass(time.Second)
	s.end(waits, run(waits), lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.log(ledgers, run(ledgers), lifecycle.UsageReported{}, lifecycle.ToolStarted{Call: "l2", Tool: "grep", Label: "Ledger"})
	s.pass(4 * time.Second)
}
