package exporttest

import (
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// withoutAScreen: a prompt with --agents stop; the subagent's commands go with it, and it
// is told of none of them any more.
func withoutAScreen(s *longStory) {
	late, one, two := launch("c-late", "be late"), asked{"t-one", "shell", "sleep 1", Object{"command": "sleep 1"}}, asked{"t-two", "shell", "sleep 99", Object{"command": "sleep 99"}}
	s.begin(Root, "r-p8", user("In the background."))
	s.step(Root, "r-p8")
	s.speak(Root, "r-p8", "", late)
	s.begin("s-late", "r-late", of("r-p8", late.id, "be late", true))
	s.launched("r-p8", late, "r-late")
	s.step("s-late", "r-late")
	s.speak("s-late", "r-late", "", one, two)
	for _, c := range []asked{one, two} {
		session, run := lifecycle.SessionID("s"+c.id[1:]), lifecycle.RunID("r"+c.id[1:])
		s.begin(session, run, command("s-late", "r-late", c.id, c.label))
		s.give("s-late", "r-late", c, lifecycle.ToolOK, agent.RunView{Session: session, Run: run}, `{"status":"running"}`)
	}
	code := 0
	s.end("r-one", lifecycle.Ended{State: lifecycle.StateCompleted, Result: lifecycle.NoOutput, ExitCode: &code})
	s.finish("r-p8", "It is on its way.")
	s.Add("s-late", "r-late", lifecycle.StopRequested{Cause: lifecycle.CauseAgentsStop})
	s.Add("s-two", "r-two", lifecycle.StopRequested{Cause: lifecycle.CauseRunEnd})
	s.end("r-late", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseAgentsStop})
	s.with("s-one", "r-one", lifecycle.NotificationWithdrawn{By: lifecycle.ByRunEnd})
	s.end("r-two", lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseRunEnd, Result: lifecycle.NoOutput})
}

// atTheCut: the parent works and is asked something, five others work, a sixth waits for
// a slot, a message for a step, and a server runs.
func atTheCut(s *longStory) {
	var calls []asked
	for _, name := range []string{"n1", "n2", "n3", "n4", "n5", "n6"} {
		calls = append(calls, launch(lifecycle.CallID("c-"+name), "be number "+name[1:]))
	}
	serve, ask := asked{"c-serve", "shell", "npm run dev", Object{"command": "npm run dev -- --token=hunter2hunter2"}}, asked{"c-ask", "shell", "make install", Object{"command": "make install"}}
	s.begin(Root, "r-p9", user("And now six of them."))
	s.step(Root, "r-p9", "r-late")
	s.speak(Root, "r-p9", "Six.", append(calls, serve, ask)...)
	for i, c := range calls {
		session, run := lifecycle.SessionID("s"+c.id[1:]), lifecycle.RunID("r"+c.id[1:])
		if i == 5 {
			s.wait(session, run, of("r-p9", c.id, c.label, true), lifecycle.Queued{Position: 1})
		} else {
			s.begin(session, run, of("r-p9", c.id, c.label, true))
			s.step(session, run)
		}
		s.launched("r-p9", c, run)
	}
	line := command(Root, "r-p9", "c-serve", "npm run dev -- --token=hunter2hunter2")
	line.Limit = time.Hour
	s.begin("s-serve", "r-serve", line)
	s.give(Root, "r-p9", serve, lifecycle.ToolOK, agent.RunView{Session: "s-serve", Run: "r-serve"}, `{"shell_id":"s-serve","status":"running"}`)
	s.Add(Root, "r-p9", question("q-6", Root, "r-p9", ask), lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m-6", From: lifecycle.FromUser, Text: "And quickly."}})
	for _, c := range calls[:5] {
		s.Add(lifecycle.SessionID("s"+c.id[1:]), lifecycle.RunID("r"+c.id[1:]), lifecycle.Text{Text: "I am number " + string(c.id[3:])})
	}
}

// byTheUser: a command of the user's own, which fails; the session is idle, so that its model has it at once.
func byTheUser(s *longStory) {
	spec, code := command(Root, "r-p8", "", "git push <all>"), 128
	spec.Trigger, spec.From = lifecycle.TriggerUser, lifecycle.FromUser
	s.begin("s-own", "r-own", spec)
	s.end("r-own", lifecycle.Ended{
		State: lifecycle.StateFailed, Result: "fatal: no remote, & the password is correct horse battery staple\n", ExitCode: &code,
		Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "exit code 128"},
	})
	s.tell(Root, "r-p8", s.Run("r-p8").Step, "r-own")
}
