package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/approval"
)

const tidy = lifecycle.SessionID("tidy up")

// refuses makes a run ask, and denies it.
func (s *screen) refuses(id lifecycle.QuestionID, q lifecycle.Question, by lifecycle.Decider, reason string) {
	q.ID, q.Session, q.Run = id, tidy, "run "+lifecycle.RunID(tidy)
	s.log(q.Session, q.Run, lifecycle.PermissionAsked{Question: q},
		lifecycle.PermissionDenied{Question: id, Tool: q.Tool, Subject: q.Subject, By: by, Reason: reason})
}

// refusedSubagent is a subagent to which something was denied in each way that there is.
func refusedSubagent(s *screen) {
	s.options.Permissions = func() []approval.Rule { return []approval.Rule{{Text: "deny shell(curl *)", Source: "config.toml:3"}} }
	s.ask("go")
	s.delegate("audit refunds", true)
	s.delegate(string(tidy), true)
	s.refuses("q1", lifecycle.Question{Tool: "shell", Subject: "go test ./...", Rules: []string{"shell(go test *)"}}, "nobody", "a background subagent has no person to ask")
	s.refuses("q2", lifecycle.Question{Tool: "edit", Subject: "internal/refund.go", View: agent.EncodeView(agent.DiffView{Path: "internal/refund.go", Diff: "@@ -1 +1 @@\n-old\n+new\n"})}, "person", "not that file")
	s.refuses("q3", lifecycle.Question{Tool: "shell", Subject: "go test ./...", Rules: []string{"shell(go test *)"}}, "nobody", "a background subagent has no person to ask")
	s.log(tidy, "run "+lifecycle.RunID(tidy),
		lifecycle.PermissionDenied{Tool: "shell", Subject: "curl example.org", By: "rule", Reason: "the user's rule shell(curl *) denies it"},
		lifecycle.PermissionDenied{Tool: "write", Subject: "漢字/notes.md", By: "hook", Reason: "no notes here"})
}

var (
	theTests = lifecycle.Deed{Tool: "shell", Subject: "go test ./..."}
	theEdit  = lifecycle.Deed{Tool: "edit", Subject: "internal/refund.go"}
)

func granting(deeds ...lifecycle.Deed) []lifecycle.Command {
	return []lifecycle.Command{lifecycle.Grant{Session: tidy, Deeds: deeds}}
}

func TestWhatWasDeniedIsReadBeforeItIsGranted(t *testing.T) {
	s := newScreen(t, 100, 40)
	refusedSubagent(s)
	require.Contains(t, s.text(), "5 denied")
	s.keys("down", "down", "g")
	require.Empty(t, s.route.taken(), "the first key shows, and grants nothing")
	for _, words := range []string{
		"Denied to \"tidy up\"", "2 of 4 chosen", "[x] shell  2 times", "go test ./...", "nobody was asked",
		"[x] edit", "internal/refund.go", "you said no: not that file", "the user's rule shell(curl *) denies it: change that in config.toml:3",
		"a hook said no: no notes here", "g grant 2, and it tries again",
	} {
		require.Contains(t, s.text(), words)
	}
	s.keys("down")
	require.Contains(t, s.text(), "new", "the change that it wanted")
	s.keys("g")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "again, and these are allowed until you quit: shell go test ./...; edit internal/refund.go")
	s.pass(armedFor)
	s.keys("g")
	require.Empty(t, s.route.taken(), "too late: it arms anew")
	s.keys("g")
	require.Equal(t, granting(theTests, theEdit), s.route.taken(), "the second press grants what can be")
	require.NotContains(t, s.text(), "chosen")
}

func TestOnlyWhatIsChosenIsGranted(t *testing.T) {
	for name, test := range map[string]struct {
		keys    []string
		granted []lifecycle.Command
		says    string
	}{
		"the first is not":       {[]string{"space", "enter", "enter"}, granting(theEdit), ""},
		"not, and again":         {[]string{"space", "space", "g", "g"}, granting(theTests, theEdit), ""},
		"the second is not":      {[]string{"down", "space", "g", "g"}, granting(theTests), ""},
		"none":                   {[]string{"space", "down", "space", "g"}, nil, "nothing grantable is selected"},
		"a rule is no choice":    {[]string{"down", "down", "space"}, nil, "denied by a rule: it cannot be granted here"},
		"nor is a hook":          {[]string{"down", "down", "down", "down", "p"}, nil, "denied by a hook: it cannot be granted here"},
		"left by esc":            {[]string{"esc", "x", "x"}, []lifecycle.Command{lifecycle.Stop{Session: tidy, Cause: byKey}}, ""},
		"left by ctrl+c":         {[]string{"ctrl+c"}, nil, ""},
		"always":                 {[]string{"p", "y"}, []lifecycle.Command{lifecycle.Grant{Session: tidy, Deeds: []lifecycle.Deed{theTests}, Always: true}}, ""},
		"always, and back":       {[]string{"p", "esc"}, nil, "2 of 4 chosen"},
		"no rule for the change": {[]string{"down", "p"}, nil, "no rule covers exactly this call"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 40)
			refusedSubagent(s)
			s.keys("down", "down", "g")
			s.keys(test.keys...)
			require.Equal(t, test.granted, s.route.taken())
			require.Contains(t, s.text(), test.says)
		})
	}
}

// What comes while the list is in front was not read: it is not granted by a key that
// was on its way.
func TestWhatIsDeniedLaterIsNotChosen(t *testing.T) {
	s := newScreen(t, 80, 24)
	refusedSubagent(s)
	s.keys("down", "down", "g")
	s.refuses("q9", lifecycle.Question{Tool: "shell", Subject: "rm -rf /"}, "nobody", "")
	require.Contains(t, s.text(), "2 of 5 chosen")
	s.keys("g", "g")
	require.Equal(t, granting(theTests, theEdit), s.route.taken())
}

func TestTheCountFallsToWhatIsNotGranted(t *testing.T) {
	run := lifecycle.RunID("run " + tidy)
	yes := func(d lifecycle.Deed) lifecycle.PermissionGranted {
		return lifecycle.PermissionGranted{By: "person", Scope: lifecycle.GrantDenied, Tool: d.Tool, Subject: d.Subject}
	}
	s := newScreen(t, 80, 24)
	refusedSubagent(s)
	s.log(tidy, run, yes(theTests))
	require.Contains(t, s.text(), "3 denied")
	s.end(tidy, run, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	spec := s.runs.Latest(tidy).Spec
	spec.Trigger = lifecycle.TriggerMessage
	s.log(tidy, "run 2", lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
	require.Contains(t, s.text(), "3 denied", "another run grants nothing")
	s.log(tidy, "run 2", yes(theEdit))
	require.Contains(t, s.text(), "2 denied")
	s.log(tidy, "run 2", lifecycle.PermissionDenied{Tool: theEdit.Tool, Subject: theEdit.Subject, By: "nobody"})
	require.Contains(t, s.text(), "3 denied", "what is denied again counts anew")
	require.Equal(t, 2, s.runs.DeniedIn(s.runs.Run(run)), "the card of an earlier run counts its own")
}

// The parent's own, and those of a subagent whose view is open.
func TestWhatWasDeniedHereIsReachedByACommand(t *testing.T) {
	s := newScreen(t, 80, 24)
	refusedSubagent(s)
	s.sent("/denied")
	require.Contains(t, s.text(), "nothing is denied")
	s.log(root, "r1", lifecycle.PermissionDenied{Tool: "shell", Subject: "make", By: "person"})
	s.sent("/denied")
	require.Contains(t, s.text(), "Denied to \"main agent\"")
	s.keys("g", "g")
	require.Equal(t, []lifecycle.Command{lifecycle.Grant{Session: root, Deeds: []lifecycle.Deed{{Tool: "shell", Subject: "make"}}}}, s.route.taken())
	s.keys("tab", "tab")
	require.Equal(t, tidy, s.open)
	require.Contains(t, s.text(), "5 denied", "the head of its view says so too")
	s.sent("/denied")
	require.Contains(t, s.text(), "Denied to \"tidy up\"")
}

// Also on the smallest screen each subject is seen to its end, and the keys with it.
func TestOnASmallScreenAllThatWasDeniedIsScrolledTo(t *testing.T) {
	s := newScreen(t, 40, 10)
	refusedSubagent(s)
	long := strings.Repeat("echo one more word; ", 12) + "rm -rf the-end"
	s.refuses("q9", lifecycle.Question{Tool: "shell", Subject: long}, "nobody", "")
	require.Contains(t, s.text(), "6 denied")
	s.keys("down", "down", "g")
	seen := ""
	for range 12 {
		require.Contains(t, s.text(), "g grant 3")
		require.LessOrEqual(t, strings.Count(s.text(), "\n"), 10)
		seen += s.text()
		s.keys("pgdown")
	}
	require.Contains(t, seen, "rm -rf the-end")
	require.Contains(t, seen, "漢字/notes.md")
	s.keys("pgup", "up", "down")
	require.Contains(t, s.text(), "› [x] edit", "a step shows what the mark is on")
}

func TestAGrantSaysWhenItIsHeardOf(t *testing.T) {
	for want, reply := range map[string]lifecycle.Reply{
		"it tries again: shell go test":                     {Runs: []lifecycle.Run{{State: lifecycle.StateRunning}}},
		"it is told at its next step: shell go test":        {Message: "m"},
		"it tries again when a slot is free: shell go test": {Runs: []lifecycle.Run{{State: lifecycle.StateQueued}}},
	} {
		s := newScreen(t, 120, 24)
		refusedSubagent(s)
		reply.Granted = []lifecycle.Deed{theTests}
		s.route.reply = reply
		s.keys("down", "down", "g", "g", "g")
		require.Contains(t, s.text(), want)
	}
}

func TestHostileDenialsAreInert(t *testing.T) {
	const evil = "\x1b]0;title\a\x1b[2Jrm \u202e\x9b31m\r\n[x] all"
	s := newScreen(t, 80, 24)
	refusedSubagent(s)
	s.log(tidy, "run "+lifecycle.RunID(tidy), lifecycle.PermissionDenied{Tool: evil, Subject: evil, By: evil, Reason: evil},
		lifecycle.PermissionDenied{Tool: evil, Subject: evil, By: "person", Reason: evil})
	s.keys("down", "down", "g", "up", "down", "down", "down", "down", "down", "down")
	for _, bad := range []string{"\x1b]0;", "\x1b[2J", "\u202e", "\u009b", "\a"} {
		require.NotContains(t, s.View().Content, bad)
	}
}
