package exporttest

import (
	"encoding/json"
	"testing"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// A user's session in which everything happens once: all eight states, a stop,
// a denial, an overdue run, a run stopped while it was queued, messages to a
// subagent, two notifications delivered at once.
func Plot(t testing.TB) *Story {
	s := NewStory(t)
	delegate(s)
	s.opened(1, true)
	overdueAndFailed(s)
	s.opened(s.Upto(), false)
	stopped(s)
	wake(s)
	stillGoing(s)
	inTheBackground(s)
	filesAndBack(s)
	return s
}

// filesAndBack are a command that changed files, a landing and a rewind.
func filesAndBack(s *Story) {
	s.Add("s-make", "r-make", lifecycle.FilesChanged{
		By: lifecycle.ChangedByCommand, Folder: s.Facts.Folder, Beside: []lifecycle.RunID{"r-serve"}, Unwatched: "stopped after 5s",
		Files: []lifecycle.FileChange{s.Change("refund.go", RefundA, RefundB)},
	})
	s.Add("s-audit", "r-audit", lifecycle.Landed{
		Operation: "o-1", Folder: s.Facts.Folder, Worktree: worktree, Files: []lifecycle.FileChange{s.Change("cart.go", cartA, cartB)},
	})
	s.Add(Root, "r-p2", lifecycle.Rewound{
		Operation: "o-2", To: s.Upto(), Prompt: "audit refunds", Conversation: true, Folder: s.Facts.Folder,
		Files: []lifecycle.FileChange{s.Change("cart.go", cartB, cartA)}, Skipped: []lifecycle.SkippedFile{{Path: "refund.go", Why: "changed since"}},
	})
	s.write(Root, "r-p2", lifecycle.EntryRewind, lifecycle.Rewind{Keep: 2})
}

// inTheBackground are two commands: one that failed, and one that goes on.
func inTheBackground(s *Story) {
	shell := func(description, command string) lifecycle.Spec {
		spec := Child("c-sh", "shell", description, "", true)
		spec.Kind, spec.Command, spec.Isolation, spec.From = lifecycle.KindShell, command, "", ""
		return spec
	}
	code := 2
	s.Spawn("s-make", "r-make", shell("build it", "make all"), lifecycle.Started{},
		lifecycle.Ended{
			State: lifecycle.StateFailed, Result: "cc: no such file\nmake: Error 1", ExitCode: &code,
			Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "exit code 2"},
		},
		lifecycle.NotificationQueued{}, lifecycle.NotificationWithdrawn{By: lifecycle.ByShellOutput},
		lifecycle.Consumed{By: lifecycle.ByShellOutput, InRun: "r-p2", Call: "c-out"})
	serve := shell("serve it", "npm run dev -- --token=hunter2hunter2")
	serve.Limit = time.Hour
	s.Spawn("s-serve", "r-serve", serve, lifecycle.Started{})
}

func Usage(in, out int64) lifecycle.UsageReported {
	return lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: in, OutputTokens: out, CachedTokens: in / 2, Cost: float64(in+out) / 1e5}}
}

func Started(id lifecycle.CallID, tool, label, input string) lifecycle.ToolStarted {
	return lifecycle.ToolStarted{Call: id, Tool: tool, Label: label, Input: json.RawMessage(input)}
}

func ToolEnded(id lifecycle.CallID, tool string, status lifecycle.ToolStatus, view agent.View) lifecycle.ToolEnded {
	return lifecycle.ToolEnded{Call: id, Tool: tool, Status: status, View: agent.EncodeView(view)}
}

// delegate is the parent's first run: it works, asks and delegates.
func delegate(s *Story) {
	s.Spawn(Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Audit the refund code, please.", From: lifecycle.FromUser},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.Thinking{Text: "Several parts: "}, lifecycle.Thinking{Text: "I delegate."},
		lifecycle.Text{Text: "I start "}, lifecycle.Text{Text: "five agents."},
		Usage(1200, 340),
		Started("c-sh", "shell", "go test ./...", `{"command":"go test ./... && echo <ok>"}`),
		Started("c-edit", "edit", "refund.go", `{"path":"refund.go"}`),
		Started("c-audit", "agent", "audit refunds", `{"description":"audit refunds","prompt":"Audit the refunds."}`),
		Started("c-map", "agent", "map callers", `{"description":"map callers","run_in_background":true}`),
		Started("c-plan", "agent", "plan the tests", `{"description":"plan the tests"}`),
	)
	s.Answered(Root, "r-p1", thought("Several parts: I delegate."), say("I start five agents."),
		Call("c-sh", "shell", `{"command":"go test ./... && echo <ok>"}`), Call("c-edit", "edit", `{"path":"refund.go"}`),
		Call("c-audit", "agent", `{"description":"audit refunds","prompt":"Audit the refunds."}`),
		Call("c-map", "agent", `{"description":"map callers","run_in_background":true}`),
		Call("c-plan", "agent", `not quite { JSON`))
	s.Add(Root, "r-p1",
		lifecycle.PermissionAsked{Question: lifecycle.Question{
			ID: "q-1", Session: Root, Run: "r-p1", Call: "c-sh", Tool: "shell", Subject: "go test ./...",
			View: agent.EncodeView(agent.CommandView{Command: "go test ./..."}),
		}},
		lifecycle.PermissionGranted{Question: "q-1", Call: "c-sh", By: lifecycle.DeciderPerson, Scope: lifecycle.GrantOnce},
		ToolEnded("c-sh", "shell", lifecycle.ToolOK, agent.CommandView{Command: "go test ./...", Output: "ok\tshop\t0.2s\n", Note: "cut"}))
	s.result(Root, "r-p1", "c-sh", "shell", "ok\tshop\t0.2s\n", false)
	s.Add(Root, "r-p1", ToolEnded("c-edit", "edit", lifecycle.ToolOK, agent.DiffView{Path: "refund.go", Diff: "-a\n+b\n", Added: 1, Removed: 1}))
	s.result(Root, "r-p1", "c-edit", "edit", "Changed refund.go.", false)
	s.Spawn("s-audit", "r-audit", Child("c-audit", "general", "audit refunds", "Audit the refunds.", false), lifecycle.Started{})
	s.Spawn("s-map", "r-map", Child("c-map", "explore", "map callers", "Who calls refund()?", true), lifecycle.Started{})
	s.Add(Root, "r-p1", ToolEnded("c-map", "agent", lifecycle.ToolOK, agent.RunView{Session: "s-map", Run: "r-map"}))
	s.result(Root, "r-p1", "c-map", "agent", `{"agent_id":"s-map","status":"running"}`, false)
	s.Spawn("s-plan", "r-plan", Child("c-plan", "plan", "plan the tests", "Plan the tests.", false), lifecycle.Started{})
	emptyHanded(s)
}

// searched is a search of the web by a model's own server.
var searched = lifecycle.Searched{Query: "refund test", Found: []lifecycle.Page{{URL: "https://go.dev/doc", Title: "Documentation"}}}

// emptyHanded is a foreground run that reports nothing, also when nudged.
func emptyHanded(s *Story) {
	s.Add("s-plan", "r-plan", lifecycle.StepStarted{Step: 1}, Usage(300, 1))
	s.Answered("s-plan", "r-plan")
	s.Add("s-plan", "r-plan", searched, lifecycle.Nudged{})
	s.said("s-plan", "r-plan", lifecycle.FromPawl, "", "Report what you found now.")
	s.Add("s-plan", "r-plan", lifecycle.StepStarted{Step: 2}, Usage(320, 1), lifecycle.Ended{State: lifecycle.StateCompletedEmpty})
	s.Add(Root, "r-p1", ToolEnded("c-plan", "agent", lifecycle.ToolOK, agent.RunView{Session: "s-plan", Run: "r-plan"}))
	s.Add("s-plan", "r-plan", lifecycle.Consumed{By: lifecycle.ByToolResult, InRun: "r-p1", Call: "c-plan"})
	s.result(Root, "r-p1", "c-plan", "agent", `{"agent_id":"s-plan","status":"completed_empty"}`, false)
}

// overdueAndFailed brings two ends that the parent is owed word of.
func overdueAndFailed(s *Story) {
	s.Add("s-audit", "r-audit", lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "Reading refund.go."}, Usage(800, 40),
		Started("t-1", "read", "refund.go", `{"path":"refund.go"}`),
		ToolEnded("t-1", "read", lifecycle.ToolOK, agent.PlainView{Text: "package shop"}),
		lifecycle.Warned{Kind: lifecycle.WarnWriteOverlap, Message: "refund.go is also written by the parent"},
		lifecycle.Overdue{After: 10 * time.Minute})
	s.Answered("s-audit", "r-audit", say("Reading refund.go."), Call("t-1", "read", `{"path":"refund.go"}`))
	s.result("s-audit", "r-audit", "t-1", "read", "package shop", false)
	s.Add(Root, "r-p1", ToolEnded("c-audit", "agent", lifecycle.ToolOK, agent.RunView{Session: "s-audit", Run: "r-audit"}))
	s.result(Root, "r-p1", "c-audit", "agent", `{"agent_id":"s-audit","status":"running","warning":"foreground_timeout"}`, false)
	s.Add(Root, "r-p1", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "I wait for two of them."}, Usage(1500, 20),
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "I wait for two of them."})
	s.Answered(Root, "r-p1", say("I wait for two of them."))

	s.Add("s-map", "r-map", lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "Callers: "}, Usage(900, 30),
		Started("t-2", "shell", "rm -rf build", `{"command":"rm -rf build"}`),
		lifecycle.PermissionDenied{Call: "t-2", Tool: "shell", Subject: "rm -rf build", By: lifecycle.DeciderNobody, Reason: "a background subagent has no person to ask"},
		ToolEnded("t-2", "shell", lifecycle.ToolDenied, agent.PlainView{Text: "Denied."}),
		lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "cart.go"},
		lifecycle.Waiting{Why: "rate limited; asking again in 2s", For: 2 * time.Second, Attempt: 1, Discarded: true})
	s.Answered("s-map", "r-map", say("Callers: "), Call("t-2", "shell", `{"command":"rm -rf build"}`))
	s.result("s-map", "r-map", "t-2", "shell", "Denied: a background subagent has no person to ask.", true)
	s.Add("s-map", "r-map", lifecycle.Ended{
		State: lifecycle.StateFailed, Partial: "Callers: cart.go",
		Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries (HTTP 429)"},
	}, lifecycle.NotificationQueued{})
	s.Add("s-audit", "r-audit", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "Two defects."}, Usage(1100, 25),
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Two defects."}, lifecycle.NotificationQueued{})
	s.Answered("s-audit", "r-audit", say("Two defects."))
}

// wake tells the idle parent of both at once, and lets it start more.
func wake(s *Story) {
	s.Spawn(Root, "r-p2", lifecycle.Spec{Trigger: lifecycle.TriggerNotification}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	for _, one := range []struct {
		session lifecycle.SessionID
		run     lifecycle.RunID
	}{{"s-map", "r-map"}, {"s-audit", "r-audit"}} {
		s.Add(one.session, one.run, lifecycle.NotificationDelivered{InRun: "r-p2", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r-p2"})
		s.told("r-p2", one.run)
	}
	s.Add(Root, "r-p2", lifecycle.Compacted{Summary: "Refunds were audited.", Before: 9000, After: 700})
	s.write(Root, "r-p2", lifecycle.EntrySummary, Object{"text": "Refunds were audited."})
	s.Add(Root, "r-p2", Usage(700, 60),
		Started("c-todo", "todo", "", `{}`), ToolEnded("c-todo", "todo", lifecycle.ToolOK, agent.TodoView{Items: []agent.TodoItem{{Text: "audit", State: "done"}, {Text: "fix", State: "active"}}}),
		Started("c-glob", "glob", "*.go", `{"pattern":"*.go"}`), ToolEnded("c-glob", "glob", lifecycle.ToolOK, agent.ListingView{Title: "*.go", Items: []string{"a.go"}, Total: 12}))
	s.Answered(Root, "r-p2", Call("c-todo", "todo", `{}`), Call("c-glob", "glob", `{"pattern":"*.go"}`))
	s.result(Root, "r-p2", "c-todo", "todo", "(the tool gave no output)", false)
	s.result(Root, "r-p2", "c-glob", "glob", "a.go\n(11 more)", false)
	s.Add(Root, "r-p2", lifecycle.StepStarted{Step: 2}, Usage(750, 10), lifecycle.StopRequested{Cause: lifecycle.CauseKey},
		lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey, Partial: "Now I"})
	s.Answered(Root, "r-p2", say("Now I"))
}

// stopped are the runs that others ended: one while it was queued.
func stopped(s *Story) {
	s.Spawn("s-queued", "r-queued", Child("c-plan", "general", "never begun", "Wait for a slot.", true), lifecycle.Queued{Position: 1},
		lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey}, lifecycle.NotificationQueued{},
		lifecycle.NotificationWithdrawn{By: lifecycle.ByAgentOutput}, lifecycle.Consumed{By: lifecycle.ByAgentOutput, InRun: "r-p1", Call: "c-out"})
	s.Spawn("s-byagent", "r-byagent", Child("c-plan", "general", "no longer needed", "Count the lines.", true), lifecycle.Started{},
		lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "1, 2, 3"},
		lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop, Reason: "found it myself"},
		lifecycle.Warned{Kind: lifecycle.WarnSlowStop, Message: "asked to stop, still ending after 2s"},
		lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseAgentStop, Reason: "found it myself", Partial: "1, 2, 3"},
		lifecycle.Consumed{By: lifecycle.ByAgentStop, InRun: "r-p1", Call: "c-stop"})
	s.Spawn("s-cut", "r-cut", Child("c-plan", "general", "cut off", "Take long.", true), lifecycle.Started{},
		lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "half a"},
		lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Partial: "half a"}, lifecycle.NotificationQueued{})
}

// stillGoing leaves one run queued and two running, one of which is spoken to.
func stillGoing(s *Story) {
	again := Child("c-map", "explore", "map callers", "Look in cart.go too.", true)
	again.Trigger, again.From = lifecycle.TriggerMessage, lifecycle.FromUser
	s.Spawn("s-map", "r-map2", again, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	message := func(id lifecycle.MessageID, text string) lifecycle.MessageQueued {
		return lifecycle.MessageQueued{Message: lifecycle.Message{ID: id, From: lifecycle.FromUser, Text: text}}
	}
	with, named := enclosures()
	s.Add("s-map", "r-map2", message("m-1", "And checkout.go?"), message("m-2", "Hurry"), message("m-3", "Never mind"),
		lifecycle.MessageEdited{Message: "m-2", Text: "No hurry.", Reach: []string{"/tmp/shot.png"}}, lifecycle.MessageMoved{Message: "m-2", To: 0},
		lifecycle.MessageWithdrawn{Message: "m-3"},
		lifecycle.MessageWithdrawn{Message: "m-1", Returned: true, From: lifecycle.FromUser, Text: "And checkout.go?"},
		lifecycle.StepStarted{Step: 2}, lifecycle.MessageTaken{Message: "m-2", Step: 2, From: lifecycle.FromUser, Text: "No hurry.", Attached: named})
	s.write("s-map", "r-map2", lifecycle.EntryUser, lifecycle.Said{From: lifecycle.FromUser, Message: "m-2", Text: "No hurry.", Attached: with})
	away := Child("c-plan", "general", "sent away", "Do it.", false)
	away.Isolation, away.Labels = lifecycle.IsolationRemote, []string{"gpu"}
	s.Spawn("s-fg", "r-fg", away, lifecycle.Started{}, lifecycle.Detached{},
		lifecycle.Placed{Worker: "w-1", Machine: "oak", Version: "1.0", Attempt: 1, Folder: "/var/pawl/r-fg"},
		lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "On "}, lifecycle.Text{Text: "it."}, Started("t-9", "shell", "make", `{"command":"make"}`),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q-2", Session: "s-fg", Run: "r-fg", Call: "t-9", Tool: "shell", Subject: "make", Who: "sent away"}})
	s.Spawn("s-next", "r-next", Child("c-plan", "general", "waits", "Wait.", true), lifecycle.Queued{Position: 1})
}
