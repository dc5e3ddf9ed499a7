package exporttest

import (
	"strings"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

var (
	cTest = asked{"c-test", "shell", "go test ./...", Object{"command": "go test ./..."}}
	cEdit = asked{"c-edit", "edit", "refund.go", Object{"path": "refund.go", "old": "a", "new": "b"}}
	cShot = asked{"c-shot", "read", "shot.png", Object{"path": "shot.png"}}
	cCurl = asked{"c-curl", "shell", "curl shop.example", Object{"command": "curl -H 'Authorization: Bearer abcdefabcdef1234' shop.example"}}
	cOut  = asked{"c-out", "agent_output", "s-wait", Object{"agent_id": "s-wait", "wait_ms": 60000}}
	cMade = asked{"c-made", "shell_output", "s-make", Object{"shell_id": "s-make"}}
	cStop = asked{"c-stop", "agent_stop", "s-scan", Object{"agent_id": "s-scan", "reason": "found it myself"}}
	cSend = asked{"c-send", "agent_send", "look at cart.go too", Object{"agent_id": "s-talk", "message": "Look at cart.go too."}}
	cLost = asked{"c-lost", "shell", "make deploy", Object{"command": "make deploy"}}
)

func launch(id lifecycle.CallID, description string) asked {
	return asked{id, "agent", description, Object{"description": description, "prompt": "Please " + description + ".", "run_in_background": true}}
}

// delegation is one that waits.
func delegation(id lifecycle.CallID, description string) asked {
	return asked{id, "agent", description, Object{"description": description, "prompt": "Please " + description + "."}}
}

func question(id lifecycle.QuestionID, session lifecycle.SessionID, run lifecycle.RunID, c asked, rules ...string) lifecycle.PermissionAsked {
	return lifecycle.PermissionAsked{Question: lifecycle.Question{
		ID: id, Session: session, Run: run, Call: c.id, Tool: c.tool, Subject: c.label, Effect: "shell", Rules: rules,
		View: agent.EncodeView(agent.CommandView{Command: c.label}),
	}}
}

// atWork: a retry, thinking, secrets, questions granted always and once, a diff, a
// picture, a rule that denies.
func atWork(s *longStory) {
	s.begin(Root, "r-p1", user("Audit the refund code, please. The password is correct horse battery staple."))
	s.step(Root, "r-p1")
	s.Add(Root, "r-p1", lifecycle.Text{Text: "I wi"},
		lifecycle.Waiting{Why: "the server is overloaded (HTTP 529); asking again in 2s", For: 2 * time.Second, Attempt: 1, Discarded: true},
		lifecycle.Waiting{Why: "demo has asked for a pause; asking in 1s", For: time.Second, Attempt: 2},
		lifecycle.Thinking{Text: "Tests first; "}, lifecycle.Thinking{Text: "the key is sk-ant-api03-abcdefghijklmnop."})
	s.speak(Root, "r-p1", "I begin with the tests.", cTest, cEdit, cShot, cCurl)
	s.Add(Root, "r-p1", question("q-1", Root, "r-p1", cTest, "shell(go test *)"))
	s.Add(Root, "r-p1", lifecycle.PermissionGranted{Question: "q-1", Call: "c-test", By: lifecycle.DeciderPerson, Scope: lifecycle.GrantAlways, Rules: []string{"shell(go test *)"}})
	s.give(Root, "r-p1", cTest, lifecycle.ToolOK, agent.CommandView{Command: "go test ./...", Output: "ok\tshop\t0.2s\n"}, "ok\tshop\t0.2s\n")
	s.with(Root, "r-p1", s.byCommand("c-test", "more than 100,000 files", s.Change("cover.out", "", "mode: set\n")))
	s.Add(Root, "r-p1", question("q-2", Root, "r-p1", cEdit))
	s.Add(Root, "r-p1", lifecycle.PermissionGranted{Question: "q-2", Call: "c-edit", By: lifecycle.DeciderPerson, Scope: lifecycle.GrantOnce})
	s.give(Root, "r-p1", cEdit, lifecycle.ToolOK, agent.DiffView{Path: "refund.go", Diff: "@@ -1 +1 @@\n-a\n+b\n", Added: 1, Removed: 1}, "Changed refund.go.")
	s.with(Root, "r-p1", s.byTool("c-edit", s.Facts.Folder, s.Change("refund.go", RefundA, RefundB)))
	s.Add(Root, "r-p1", ToolEnded("c-shot", "read", lifecycle.ToolOK, agent.PlainView{Text: "a picture"}))
	s.write(Root, "r-p1", lifecycle.EntryToolResult, Object{
		"call": "c-shot", "name": "read", "text": "shot.png, 4 bytes", "images": []agent.Image{{MediaType: "image/png", Data: []byte("\x89PNG")}},
	}).Call = "c-shot"
	s.Add(Root, "r-p1", lifecycle.PermissionDenied{Call: "c-curl", Tool: "shell", Subject: "curl shop.example", By: lifecycle.DeciderRule, Reason: "deny shell(curl *)"})
	s.give(Root, "r-p1", cCurl, lifecycle.ToolDenied, agent.PlainView{Text: "Denied."}, "Denied: deny shell(curl *)")
}

// sharedOut: five runs take all slots, the sixth waits, and a command runs beside them.
func sharedOut(s *longStory) {
	names := []string{"map", "scan", "talk", "proc", "cut", "wait"}
	var calls []asked
	for _, name := range names {
		calls = append(calls, launch(lifecycle.CallID("c-"+name), name+" the code"))
	}
	make_ := asked{"c-make", "shell", "make all", Object{"command": "make all", "run_in_background": true}}
	s.step(Root, "r-p1")
	s.speak(Root, "r-p1", "", append(calls, make_)...)
	for i, name := range names {
		session, run := lifecycle.SessionID("s-"+name), lifecycle.RunID("r-"+name)
		spec := of("r-p1", calls[i].id, name+" the code", true)
		if name == "proc" {
			spec.Isolation = lifecycle.IsolationProcess
		}
		if name == "wait" {
			s.wait(session, run, spec, lifecycle.Queued{Position: 1})
		} else {
			s.begin(session, run, spec)
		}
		s.launched("r-p1", calls[i], run)
	}
	s.begin("s-make", "r-make", command(Root, "r-p1", "c-make", "make all"))
	s.give(Root, "r-p1", make_, lifecycle.ToolOK, agent.RunView{Session: "s-make", Run: "r-make"}, `{"shell_id":"s-make","status":"running"}`)
	code := 2
	s.end("r-make", lifecycle.Ended{
		State: lifecycle.StateFailed, Result: "cc: no such file\nmake: Error 1", ExitCode: &code,
		Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "exit code 2"},
	})
}

// waitedFor: of four in the foreground one says nothing, one is stopped, one is sent away
// and one takes too long; two ends are read before they are told, and a denial is kept.
func waitedFor(s *longStory) {
	audit, plan, fix, deep := delegation("c-audit", "audit refunds"), delegation("c-plan", "plan the tests"), delegation("c-fix", "fix the cart"), delegation("c-deep", "look deeper")
	s.step(Root, "r-p1", "r-make") // told, so reading it again changes nothing
	s.speak(Root, "r-p1", "Four more, and I wait.", audit, plan, fix, deep, cOut, cMade)
	for _, one := range []struct {
		name string
		call asked
	}{{"audit", audit}, {"plan", plan}, {"fix", fix}, {"deep", deep}} {
		spec := of("r-p1", one.call.id, one.call.label, false)
		if one.name == "fix" {
			spec.Isolation, spec.Folder, spec.Branch = lifecycle.IsolationWorktree, "/data/worktrees/s-root/fix-the-cart-0a1b2c", "pawl/fix-the-cart-0a1b2c"
		}
		s.begin(lifecycle.SessionID("s-"+one.name), lifecycle.RunID("r-"+one.name), spec)
	}
	s.give(Root, "r-p1", cMade, lifecycle.ToolOK, agent.RunView{Session: "s-make", Run: "r-make"}, `{"shell_id":"s-make","status":"failed","exit_code":2}`)
	s.end("r-wait", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.give(Root, "r-p1", cOut, lifecycle.ToolOK, agent.RunView{Session: "s-wait", Run: "r-wait"}, `{"status":"canceled_by_user"}`, told{"r-wait", lifecycle.ByAgentOutput})

	s.step("s-plan", "r-plan")
	s.speak("s-plan", "r-plan", "")
	s.Add("s-plan", "r-plan", searched, lifecycle.Searched{Cited: searched.Found}, lifecycle.Nudged{})
	s.said("s-plan", "r-plan", lifecycle.FromPawl, "", "Report what you found now.")
	s.step("s-plan", "r-plan")
	s.speak("s-plan", "r-plan", "")
	s.end("r-plan", lifecycle.Ended{State: lifecycle.StateCompletedEmpty})
	s.give(Root, "r-p1", plan, lifecycle.ToolOK, agent.RunView{Session: "s-plan", Run: "r-plan"}, `{"status":"completed_empty"}`, told{"r-plan", lifecycle.ByToolResult})

	s.step("s-deep", "r-deep")
	s.Add("s-deep", "r-deep", lifecycle.Text{Text: "Half a tho"}, lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.Answered("s-deep", "r-deep", say("Half a tho"))
	s.end("r-deep", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey, Partial: "Half a tho"})
	s.give(Root, "r-p1", deep, lifecycle.ToolError, agent.RunView{Session: "s-deep", Run: "r-deep"}, `{"status":"canceled_by_user"}`, told{"r-deep", lifecycle.ByToolResult})

	deniedToMap(s)
	s.Add("s-fix", "r-fix", lifecycle.Detached{})
	s.give(Root, "r-p1", fix, lifecycle.ToolOK, agent.RunView{Session: "s-fix", Run: "r-fix"}, `{"status":"running","message":"The user sent it to the background."}`)
	s.Clock = s.Clock.Add(10 * time.Minute)
	s.Add("s-audit", "r-audit", lifecycle.Overdue{After: 10 * time.Minute})
	s.give(Root, "r-p1", audit, lifecycle.ToolOK, agent.RunView{Session: "s-audit", Run: "r-audit"}, `{"status":"running","warning":"foreground_timeout"}`)
}

// deniedToMap: nobody is there to ask, so the call is denied, and kept.
func deniedToMap(s *longStory) {
	rm := asked{"t-rm", "shell", "rm -rf build", Object{"command": "rm -rf build"}}
	s.step("s-map", "r-map")
	s.speak("s-map", "r-map", "I clean up first.", rm)
	s.Add("s-map", "r-map", question("q-3", "s-map", "r-map", rm, "shell(rm -rf build)"))
	s.with("s-map", "r-map", lifecycle.PermissionDenied{Question: "q-3", Call: "t-rm", Tool: "shell", Subject: "rm -rf build", By: lifecycle.DeciderNobody, Reason: "a background subagent has no person to ask"})
	s.give("s-map", "r-map", rm, lifecycle.ToolDenied, agent.PlainView{Text: "Denied."}, "Denied: a background subagent has no person to ask")
	s.finish("r-map", "cart.go calls refund, and nothing was cleaned.")
}

// toldAndStopped: a working parent is told at its next step; it stops one agent, and
// writes to another, to which a person writes as well.
func toldAndStopped(s *longStory) {
	s.step(Root, "r-p1", "r-map")
	s.speak(Root, "r-p1", "One is in.", cStop, cSend)
	s.step("s-scan", "r-scan")
	s.Add("s-scan", "r-scan", lifecycle.Text{Text: "1, 2, 3"}, lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop, Reason: "found it myself"})
	s.Answered("s-scan", "r-scan", say("1, 2, 3"))
	s.end("r-scan", lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseAgentStop, Reason: "found it myself", Partial: "1, 2, 3"})
	s.give(Root, "r-p1", cStop, lifecycle.ToolOK, agent.RunView{Session: "s-scan", Run: "r-scan"}, `{"status":"canceled_by_agent","output":"1, 2, 3"}`, told{"r-scan", lifecycle.ByAgentStop})
	s.step("s-talk", "r-talk")
	message := func(id lifecycle.MessageID, from, text string) lifecycle.MessageQueued {
		m := lifecycle.Message{ID: id, From: from, Text: text}
		if from == lifecycle.FromAgent {
			m.Call, m.InRun = "c-send", "r-p1"
		}
		return lifecycle.MessageQueued{Message: m}
	}
	s.Add("s-talk", "r-talk", message("m-1", lifecycle.FromUser, "And checkout.go?"), message("m-2", lifecycle.FromUser, "Hurry"),
		message("m-3", lifecycle.FromUser, "Never mind"), message("m-4", lifecycle.FromAgent, "Look at cart.go too."))
	s.give(Root, "r-p1", cSend, lifecycle.ToolOK, agent.RunView{Session: "s-talk", Run: "r-talk"}, `{"status":"running","message":"The message is queued."}`)
	s.Add("s-talk", "r-talk", lifecycle.MessageEdited{Message: "m-2", Text: "No hurry.", Reach: []string{"/tmp/shot.png"}},
		lifecycle.MessageMoved{Message: "m-2", To: 0}, lifecycle.MessageWithdrawn{Message: "m-3"})
	s.speak("s-talk", "r-talk", "", asked{"t-talk", "read", "cart.go", Object{"path": "cart.go"}})
	s.give("s-talk", "r-talk", asked{"t-talk", "read", "cart.go", nil}, lifecycle.ToolOK, agent.ListingView{Title: "cart.go", Items: []string{"package shop"}, Total: 1}, "package shop")
	s.step("s-talk", "r-talk")
	with, named := enclosures()
	s.with("s-talk", "r-talk", lifecycle.MessageTaken{Message: "m-2", Step: 2, From: lifecycle.FromUser, Text: "No hurry.", Attached: named},
		lifecycle.MessageTaken{Message: "m-1", Step: 2, From: lifecycle.FromUser, Text: "And checkout.go?"},
		lifecycle.MessageTaken{Message: "m-4", Step: 2, From: lifecycle.FromAgent, Text: "Look at cart.go too."})
	s.write("s-talk", "r-talk", lifecycle.EntryUser, lifecycle.Said{From: lifecycle.FromUser, Message: "m-2", Text: "No hurry.", Attached: with})
	s.said("s-talk", "r-talk", lifecycle.FromUser, "m-1", "And checkout.go?")
	s.said("s-talk", "r-talk", lifecycle.FromAgent, "m-4", "Look at cart.go too.")
	s.finish("r-p1", "I wait for the rest.")
}

// woken: a question is open, so two ends wait; with its answer one wake-up tells of both.
func woken(s *longStory) {
	audit := asked{"t-audit", "shell", "make audit", Object{"command": "make audit"}}
	s.step("s-audit", "r-audit")
	s.speak("s-audit", "r-audit", "I have to run it.", audit)
	s.Add("s-audit", "r-audit", lifecycle.Warned{Kind: lifecycle.WarnWriteOverlap, Message: "refund.go is also written by the parent"},
		question("q-4", "s-audit", "r-audit", audit))
	code := 137
	s.step("s-proc", "r-proc")
	s.speak("s-proc", "r-proc", "", asked{"t-proc", "shell", "stress", Object{"command": "stress"}})
	s.end("r-proc", lifecycle.Ended{
		State: lifecycle.StateFailed, ExitCode: &code,
		Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "its process was killed by SIGKILL (exit code 137)"},
	})
	s.step("s-fix", "r-fix")
	s.Add("s-fix", "r-fix", lifecycle.Text{Text: "Callers: cart.go"}, lifecycle.Warned{Kind: lifecycle.WarnSilence, Message: "nothing was heard for 2m"})
	s.Answered("s-fix", "r-fix", say("Callers: cart.go"))
	s.Add("s-fix", "r-fix", s.byTool("", worktree, s.Change("cart.go", cartA, cartB), s.Change("cart_test.go", "", cartNew)))
	s.end("r-fix", lifecycle.Ended{
		State: lifecycle.StateFailed, Partial: "Callers: cart.go",
		Worktree: &lifecycle.Worktree{
			Path: "/data/worktrees/s-root/fix-the-cart-0a1b2c", Branch: "pawl/fix-the-cart-0a1b2c", Base: "1f0c8ce5d2a7",
			Kept: true, Files: 2, Added: 14, Removed: 3, Commits: 1, Behind: 4,
		},
		Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries (HTTP 429)"},
	})
	s.Add("s-audit", "r-audit", lifecycle.PermissionGranted{Question: "q-4", Call: "t-audit", By: lifecycle.DeciderPerson, Scope: lifecycle.GrantRun})
	s.enlist(Root, "r-p2", lifecycle.Spec{Trigger: lifecycle.TriggerNotification, Type: "main"}, lifecycle.Started{})
	s.give("s-audit", "r-audit", audit, lifecycle.ToolOK, agent.CommandView{Command: "make audit", Output: "2 defects\n"}, "2 defects\n")
	s.step(Root, "r-p2", "r-proc", "r-fix")
	todo, glob := asked{"c-todo", "todo", "", Object{}}, asked{"c-glob", "glob", "*.go", Object{"pattern": "*.go"}}
	s.speak(Root, "r-p2", "Two have failed.", todo, glob)
	s.give(Root, "r-p2", todo, lifecycle.ToolOK, agent.TodoView{Items: []agent.TodoItem{{Text: "audit", State: "done"}, {Text: "fix", State: "active"}}}, "2 items")
	s.give(Root, "r-p2", glob, lifecycle.ToolOK, agent.ListingView{Title: "*.go", Items: []string{"a.go"}, Total: 12}, "a.go\n(11 more)")
	s.Add(Root, "r-p2", Usage(9000, 300))
	s.with(Root, "r-p2", lifecycle.Compacted{Summary: "Refunds were audited.", Before: 9000, After: 700})
	s.write(Root, "r-p2", lifecycle.EntrySummary, Object{"text": "So far: refunds were audited.", "words": "Refunds were audited."})
}

// stoppedParent: a person stops the parent; what ends then waits for their next words.
func stoppedParent(s *longStory) {
	s.step(Root, "r-p2")
	s.Add(Root, "r-p2", lifecycle.Text{Text: "Now I"}, lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.Answered(Root, "r-p2", say("Now I"))
	s.end("r-p2", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey, Partial: "Now I"})
	s.finish("r-audit", "Two defects in refund.go.")
	s.Add("s-talk", "r-talk", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m-5", From: lifecycle.FromUser, Text: "One more thing"}},
		lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.Add("s-talk", "r-talk", lifecycle.MessageWithdrawn{Message: "m-5", Returned: true, From: lifecycle.FromUser, Text: "One more thing"})
	s.with("s-talk", "r-talk", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.owe("r-talk")
}

// leftBehind: a subagent outlives its stop, and the call that waited for it comes back.
func leftBehind(s *longStory) {
	slow := delegation("c-slow", "be slow")
	s.begin(Root, "r-p3", user("Go on, please."), lifecycle.Warned{Kind: lifecycle.WarnHook, Message: "a SessionStart hook told the model: be brief"})
	s.said(Root, "r-p3", lifecycle.FromPawl, "", "<hook-message event=\"SessionStart\">be brief</hook-message>")
	s.step(Root, "r-p3", "r-audit", "r-talk")
	s.Add(Root, "r-p3", lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: "80 % of the session's budget is used: $0.80 of $1.00 (limits.max_cost)"})
	s.speak(Root, "r-p3", "One more.", slow)
	s.begin("s-slow", "r-slow", of("r-p3", slow.id, "be slow", false))
	s.step("s-slow", "r-slow")
	s.Add("s-slow", "r-slow", lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	s.Clock = s.Clock.Add(2 * time.Second)
	s.Add("s-slow", "r-slow", lifecycle.Warned{Kind: lifecycle.WarnSlowStop, Message: "asked to stop, still ending after 2s"})
	s.Add(Root, "r-p3", ToolEnded(slow.id, "agent", lifecycle.ToolOK, agent.RunView{Session: "s-slow", Run: "r-slow"}))
	s.with("s-slow", "r-slow", lifecycle.Warned{Kind: lifecycle.WarnLeftBehind, Message: "the call that waited for it came back before its end, which will be told"})
	s.result(Root, "r-p3", slow.id, "agent", `{"status":"running"}`, false)
	s.end("r-slow", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
}

// crashed: the process dies in the middle of a call; the next one finds two runs open,
// and a person lets the parent continue.
func crashed(s *longStory) {
	s.step(Root, "r-p3", "r-slow")
	s.speak(Root, "r-p3", "I deploy it.", cLost)
	s.step("s-cut", "r-cut")
	s.Add("s-cut", "r-cut", lifecycle.Text{Text: "half a"})
	s.Clock = s.Clock.Add(time.Hour)
	found := lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Found: true}
	cut := found
	cut.Partial = "half a"
	s.end("r-cut", cut)
	found.Partial = "I deploy it."
	s.with(Root, "r-p3", found)
	s.begin(Root, "r-p4", lifecycle.Spec{Trigger: lifecycle.TriggerContinue, Type: "main", From: lifecycle.FromPawl, Prompt: "Your last run was cut off when the process ended."})
	s.give(Root, "r-p4", cLost, lifecycle.ToolCanceled, agent.PlainView{Text: "Cut off."}, "This call was cut off when the process that made it ended.")
	s.step(Root, "r-p4", "r-cut")
	s.speak(Root, "r-p4", "It was not deployed.")
	s.end("r-p4", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "It was not deployed."})
}

// allowedAfterAll: a person grants what was denied, and the run that this begins wakes the
// parent with its end.
func allowedAfterAll(s *longStory) {
	again := of("r-p1", "c-map", "map the code", true)
	again.Trigger, again.From = lifecycle.TriggerMessage, lifecycle.FromPawl
	again.Prompt = "The user now allows what was denied before: shell rm -rf build. Try again."
	s.begin("s-map", "r-map2", again, lifecycle.PermissionGranted{Call: "t-rm", By: lifecycle.DeciderPerson, Scope: lifecycle.GrantDenied, Tool: "shell", Subject: "rm -rf build"})
	rm := asked{"t-rm2", "shell", "rm -rf build", Object{"command": "rm -rf build"}}
	s.step("s-map", "r-map2")
	s.speak("s-map", "r-map2", "", rm)
	s.Add("s-map", "r-map2", question("q-5", "s-map", "r-map2", rm))
	s.with("s-map", "r-map2", lifecycle.PermissionGranted{Question: "q-5", Call: "t-rm2", By: lifecycle.DeciderGrant})
	s.give("s-map", "r-map2", rm, lifecycle.ToolOK, agent.CommandView{Command: "rm -rf build"}, "(the tool gave no output)")
	s.finish("r-map2", "It is clean now.")
	s.enlist(Root, "r-p5", lifecycle.Spec{Trigger: lifecycle.TriggerNotification, Type: "main"}, lifecycle.Started{})
	s.step(Root, "r-p5", "r-map2")
	s.end("r-p5", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "HTTP 500 after 6 tries"}})
}

// placedTwice: the worker of a remote run is lost, so another one takes it.
func (s *longStory) placedTwice(session lifecycle.SessionID, run lifecycle.RunID) {
	placed := lifecycle.Placed{Worker: "w-1", Machine: "oak", Version: "1.0", Attempt: 1, Folder: "/var/pawl/1"}
	s.Add(session, run, placed)
	s.Request = 1
	s.step(session, run)
	s.Request = 0
	s.Add(session, run, lifecycle.Warned{Kind: lifecycle.WarnWorkerLost, Message: "oak was lost, so it begins again on another machine"})
	placed.Worker, placed.Machine, placed.Attempt = "w-2", "elm", 2
	s.Add(session, run, placed)
}

// failures: four kinds of them, told at once to a parent that works.
func failures(s *longStory) {
	kinds := []lifecycle.FailureKind{lifecycle.FailAuth, lifecycle.FailTruncated, lifecycle.FailMaxSteps, lifecycle.FailBudget}
	var calls []asked
	var runs []lifecycle.RunID
	for _, kind := range kinds {
		calls = append(calls, launch(lifecycle.CallID("c-"+kind), strings.ReplaceAll(string(kind), "_", " ")))
	}
	s.begin(Root, "r-p6", user("Once more."))
	s.step(Root, "r-p6")
	s.speak(Root, "r-p6", "Four again.", calls...)
	for i, kind := range kinds {
		session, run := lifecycle.SessionID("s-"+kind), lifecycle.RunID("r-"+kind)
		spec := of("r-p6", calls[i].id, calls[i].label, true)
		if kind == lifecycle.FailTruncated {
			spec.Isolation, spec.Labels, spec.Idempotent = lifecycle.IsolationRemote, []string{"gpu"}, true
		}
		s.begin(session, run, spec)
		s.launched("r-p6", calls[i], run)
		if spec.Isolation == lifecycle.IsolationRemote {
			s.placedTwice(session, run)
		}
		if kind != lifecycle.FailAuth {
			s.Request = 1
			s.step(session, run)
			s.Request = 0
			s.speak(session, run, "So far")
		}
		s.end(run, lifecycle.Ended{State: lifecycle.StateFailed, Partial: s.Run(run).Partial, Error: &lifecycle.Failure{Kind: kind, Message: "it failed: " + string(kind)}})
		runs = append(runs, run)
	}
	s.step(Root, "r-p6", runs...)
	s.speak(Root, "r-p6", "All four failed.")
	s.end("r-p6", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "All four failed."})
	s.begin(Root, "r-p7", lifecycle.Spec{Trigger: lifecycle.TriggerCompact, Type: "main", Prompt: "keep the names", From: lifecycle.FromUser})
	s.Add(Root, "r-p7", Usage(12000, 200))
	s.with(Root, "r-p7", lifecycle.Compacted{Summary: "Four failed.", Before: 12000, After: 400})
	s.write(Root, "r-p7", lifecycle.EntrySummary, Object{"text": "So far: four failed.", "words": "Four failed."})
	s.end("r-p7", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Compacted 12,000 tokens to 400."})
}
