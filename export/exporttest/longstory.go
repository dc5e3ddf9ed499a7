package exporttest

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// longStory is a story whose records stand together as the supervisor writes them: what is one
// transaction there has one time here.
type longStory struct{ *Story }

// asked is a tool call as a model makes it.
type asked struct {
	id    lifecycle.CallID
	tool  string
	label string
	input Object
}

// with appends records of the same moment as the one before.
func (s *longStory) with(session lifecycle.SessionID, id lifecycle.RunID, events ...lifecycle.Event) {
	s.T.Helper()
	for _, event := range events {
		s.Clock = s.Clock.Add(-250 * time.Millisecond) // add moves it on
		s.Add(session, id, event)
	}
}

// begin spawns a run in a slot that is free, with the events of the same moment.
func (s *longStory) begin(session lifecycle.SessionID, id lifecycle.RunID, spec lifecycle.Spec, with ...lifecycle.Event) {
	s.T.Helper()
	s.wait(session, id, spec, append([]lifecycle.Event{lifecycle.Started{}}, with...)...)
}

// wait spawns a run and leaves the rest to its events.
func (s *longStory) wait(session lifecycle.SessionID, id lifecycle.RunID, spec lifecycle.Spec, with ...lifecycle.Event) {
	s.T.Helper()
	s.Clock = s.Clock.Add(250 * time.Millisecond)
	s.enlist(session, id, spec, with...)
}

// enlist is wait, in the moment of the record before.
func (s *longStory) enlist(session lifecycle.SessionID, id lifecycle.RunID, spec lifecycle.Spec, with ...lifecycle.Event) {
	s.T.Helper()
	spec.Root, spec.Folder, spec.Model = s.Facts.ID, s.Facts.Folder, s.Facts.Model
	s.with(session, id, lifecycle.Spawned{Spec: spec})
	s.with(session, id, with...)
	if spec.Prompt != "" && spec.Trigger != lifecycle.TriggerCompact {
		s.said(session, id, spec.From, "", spec.Prompt)
	}
}

// user is the spec of a run that a person's words begin.
func user(prompt string) lifecycle.Spec {
	return lifecycle.Spec{Trigger: lifecycle.TriggerUser, Type: "main", Prompt: prompt, From: lifecycle.FromUser}
}

// of is the spec of a subagent that a run of the parent starts with a call.
func of(by lifecycle.RunID, call lifecycle.CallID, description string, background bool) lifecycle.Spec {
	spec := Child(call, "general", description, "Please "+description+".", background)
	spec.ParentRun = by
	return spec
}

func command(parent lifecycle.SessionID, by lifecycle.RunID, call lifecycle.CallID, line string) lifecycle.Spec {
	return lifecycle.Spec{
		Kind: lifecycle.KindShell, Type: "shell", Parent: parent, ParentRun: by, Call: call, Trigger: lifecycle.TriggerAgent,
		Description: line, Command: line, Background: true,
	}
}

// step opens the next model request, and tells of these ends in it.
func (s *longStory) step(session lifecycle.SessionID, id lifecycle.RunID, ends ...lifecycle.RunID) {
	s.T.Helper()
	n := 1
	for _, run := range s.Runs {
		if run.ID == id {
			n = run.Step + 1
		}
	}
	s.Add(session, id, lifecycle.StepStarted{Step: n})
	s.tell(session, id, n, ends...)
}

// tell tells a run's model of these ends at a step.
func (s *longStory) tell(session lifecycle.SessionID, id lifecycle.RunID, n int, ends ...lifecycle.RunID) {
	s.T.Helper()
	for _, end := range ends {
		run := s.Run(end)
		s.with(run.Session, end, lifecycle.NotificationDelivered{InRun: id, Step: n}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: id})
	}
	for _, end := range ends {
		run, from := s.Run(end), ""
		if run.UserShell() {
			from = run.From
		}
		s.write(session, id, lifecycle.EntryNotification, lifecycle.Notice{
			Kind: run.Kind, From: from, Agent: run.Session, Run: run.ID, Call: run.Call, Description: run.Description, State: run.State, Cause: run.Cause,
			Error: run.Error, Command: run.Command, ExitCode: run.ExitCode, Remaining: 2, Result: run.Output(), Partial: run.Result == "",
			Usage: run.Usage, Elapsed: run.Elapsed(s.Clock),
		}).Source = end
	}
}

// speak is an answer of the model: its words, what it cost, and the calls it makes.
func (s *longStory) speak(session lifecycle.SessionID, id lifecycle.RunID, text string, calls ...asked) {
	s.T.Helper()
	parts := []Object{}
	if text != "" {
		s.Add(session, id, lifecycle.Text{Text: text})
		parts = append(parts, say(text))
	}
	s.Add(session, id, Usage(900, 30))
	for _, c := range calls {
		input, err := json.Marshal(c.input)
		require.NoError(s.T, err)
		s.with(session, id, Started(c.id, c.tool, c.label, string(input)))
		parts = append(parts, Call(c.id, c.tool, string(input)))
	}
	s.Answered(session, id, parts...)
}

// give is the result of a call, which tells of these ends.
func (s *longStory) give(session lifecycle.SessionID, id lifecycle.RunID, c asked, status lifecycle.ToolStatus, view agent.View, text string, told ...told) {
	s.T.Helper()
	end := ToolEnded(c.id, c.tool, status, view)
	if c.tool == "edit" && status == lifecycle.ToolOK {
		end.Wrote = "/src/" + c.label
	}
	s.Add(session, id, end)
	for _, one := range told {
		run := s.Run(one.run)
		if run.Notification.Pending() {
			s.with(run.Session, one.run, lifecycle.NotificationWithdrawn{By: one.by})
		}
		s.with(run.Session, one.run, lifecycle.Consumed{By: one.by, InRun: id, Call: c.id})
	}
	s.result(session, id, c.id, c.tool, text, status != lifecycle.ToolOK)
}

type told struct {
	run lifecycle.RunID
	by  lifecycle.Consumer
}

// launched is the result of a call that starts a subagent in the background.
func (s *longStory) launched(by lifecycle.RunID, c asked, run lifecycle.RunID) {
	s.T.Helper()
	r := s.Run(run)
	s.give(Root, by, c, lifecycle.ToolOK, agent.RunView{Session: r.Session, Run: run},
		`{"agent_id":"`+string(r.Session)+`","run_id":"`+string(run)+`","status":"`+string(r.State)+`","message":"You will be told when it ends."}`)
}

// end ends a run, and queues what is owed about it.
func (s *longStory) end(id lifecycle.RunID, e lifecycle.Ended) {
	s.T.Helper()
	run := s.Run(id)
	s.Add(run.Session, id, e)
	s.owe(id)
}

func (s *longStory) owe(id lifecycle.RunID) {
	s.T.Helper()
	if run := s.Run(id); run.Owes() && run.State != lifecycle.StateCanceledByAgent {
		s.with(run.Session, id, lifecycle.NotificationQueued{})
	}
}

// finish is a last step with these words, and the end.
func (s *longStory) finish(id lifecycle.RunID, text string) {
	s.T.Helper()
	session := s.Run(id).Session
	s.step(session, id)
	s.speak(session, id, text)
	s.end(id, lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})
}

// Everything is one session in which all happens that can: see the acts.
func Everything(t testing.TB) *Story {
	s := &longStory{NewStory(t)}
	s.Facts.Title = "Audit the refunds, all of it"
	s.Secrets = []string{"correct horse battery staple"}
	atWork(s)
	sharedOut(s)
	waitedFor(s)
	toldAndStopped(s)
	woken(s)
	stoppedParent(s)
	landed(s)
	leftBehind(s)
	crashed(s)
	allowedAfterAll(s)
	failures(s)
	withoutAScreen(s)
	byTheUser(s)
	rewound(s)
	atTheCut(s)
	s.takenUp()
	return s.Story
}

// takenUp says when the session was taken up: at its first record, and by whoever found
// what a crash had cut off.
func (s *longStory) takenUp() {
	s.opened(1, true)
	found := slices.IndexFunc(s.Records, func(rec lifecycle.Record) bool {
		end, is := rec.Event.(lifecycle.Ended)
		return is && end.Found
	})
	require.GreaterOrEqual(s.T, found, 0, "nothing was cut off")
	s.opened(s.Records[found].Seq, false)
}
