package ui

import (
	"time"

	"pawl/agent"
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
	s.read()
	s.pass(9 * time.Second)
	s.log(waits, run(waits), lifecycle.PermissionGranted{Question: "q", Call: "w1", By: "person"})
	s.pass(3 * time.Second)
	s.log(waits, run(waits), lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.pass(time.Second)
	s.end(waits, run(waits), lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.log(ledgers, run(ledgers), lifecycle.UsageReported{}, lifecycle.ToolStarted{Call: "l2", Tool: "grep", Label: "Ledger"})
	s.pass(4 * time.Second)
}

// manyRuns is a session in which runs stand in all ways that a dashboard sorts, of which one has a
// plan, has changed files, writes, and asks; some time of it was slept over.
func manyRuns(s *screen) {
	at := func(session lifecycle.SessionID, events ...lifecycle.Event) {
		s.log(session, lifecycle.RunID("run "+session), events...)
	}
	s.ask("Audit the refunds of all years, and fix what is wrong.")
	s.pass(2 * time.Second)
	s.log(root, "r1", lifecycle.Text{Text: "I ask some subagents."}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 900, OutputTokens: 80, Cost: 0.0184}})
	s.delegate("read the rules", true)
	s.pass(3 * time.Second)
	at("read the rules", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 2100, OutputTokens: 210, Cost: 0.03}})
	s.end("read the rules", "run read the rules", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Refunds are due within 14 days."})
	at("read the rules", lifecycle.NotificationQueued{}, lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "The rules are clear."})
	s.now = s.now.Add(9 * time.Hour)
	s.log(root, "r2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "Go on.", From: lifecycle.FromUser}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	start := func(name lifecycle.SessionID, kind string) {
		at(name, lifecycle.Spawned{Spec: lifecycle.Spec{
			Root: root, Parent: root, ParentRun: "r2", Trigger: lifecycle.TriggerAgent, Type: kind, Model: "anthropic/claude-small",
			Description: string(name), Prompt: "Please " + string(name) + ".", From: lifecycle.FromAgent, Background: true,
		}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	}
	start("fix the ledgers of all years", "general")
	start("compare 漢字 \x1b[2J names", "explore")
	start("count callers", "explore")
	at("waits its turn", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Type: "explore", Description: "waits its turn", Background: true, Trigger: lifecycle.TriggerAgent, Model: "anthropic/claude-small"}}, lifecycle.Queued{Position: 1})
	at("serve", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, ParentRun: "r2", Kind: lifecycle.KindShell, Command: "npm run dev", Description: "npm run dev", Background: true, Trigger: lifecycle.TriggerAgent}}, lifecycle.Started{})
	s.pass(4 * time.Second)
	const fix = "fix the ledgers of all years"
	done := func(call lifecycle.CallID, name, label string, view agent.View) {
		at(fix, lifecycle.ToolStarted{Call: call, Tool: name, Label: label})
		s.pass(time.Second)
		at(fix, lifecycle.ToolEnded{Call: call, Tool: name, Status: lifecycle.ToolOK, View: agent.EncodeView(view)})
	}
	at(fix, lifecycle.Text{Text: "Some years are **off by a day**."}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 14_200, OutputTokens: 1310, Cost: 0.42}})
	done("f1", "todo", "", agent.TodoView{Items: []agent.TodoItem{
		{Text: "find the years that are off", State: "done"}, {Text: "mend 2024", State: "active"}, {Text: "mend 2025", State: "pending"}, {Text: "run the tests", State: "pending"},
	}})
	done("f2", "edit", "ledger/2024.go", agent.DiffView{Path: "ledger/2024.go", Added: 12, Removed: 4})
	done("f3", "write", "ledger/day.go", agent.DiffView{Path: "ledger/day.go", Added: 31, New: true})
	done("f4", "edit", "ledger/2024.go", agent.DiffView{Path: "ledger/2024.go", Added: 1, Removed: 1})
	at("compare 漢字 \x1b[2J names", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries"}})
	at("count callers", lifecycle.PermissionDenied{Tool: "shell", Subject: "curl ledger.example", By: "nobody", Reason: "nobody to ask"},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "There are 31 callers."}, lifecycle.NotificationQueued{})
	s.pass(2 * time.Second)
	s.wonders(fix, lifecycle.Question{ID: "q", Tool: "shell", Subject: "go test ./ledger/..."})
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{
		{Session: "serve", Run: "run serve", Activity: "GET /index.html 200", Text: "listening on :8080\nGET /index.html 200"},
		{Session: root, Run: "r2", Step: 1, Text: "While they work I look at the callers", OutputTokens: 12, At: s.now},
	}})
	s.pass(settled)
}
