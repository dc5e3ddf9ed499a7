package ui

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/rewind"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// rewindable is a session that can be taken back.
type rewindable struct {
	points []rewind.Point
	plan   rewind.Plan
	err    error
	only   lifecycle.SessionID // of the plan that was asked for last
	taken  []rewind.Choice
}

func (r *rewindable) offer(o *Options, _ *terminal.Features) {
	o.RewindPoints = func(context.Context) ([]rewind.Point, error) { return r.points, nil }
	o.RewindPlan = func(_ context.Context, _ lifecycle.Seq, only lifecycle.SessionID) (rewind.Plan, error) {
		r.only = only
		return r.plan, nil
	}
	o.Rewind = func(_ context.Context, choice rewind.Choice) (rewind.Done, error) {
		r.taken = append(r.taken, choice)
		done := rewind.Done{Words: "taken back: all of it"}
		if choice.Conversation {
			done.Text = "make it\nblue"
		}
		return done, r.err
	}
}

func someRewindable() *rewindable {
	return &rewindable{
		points: []rewind.Point{
			{Seq: 40, Kind: "landing", Text: "fix the parser", Changed: 1, Time: time.Unix(200, 0)},
			{Seq: 1, Kind: "prompt", Text: "make it\nblue", Changed: 4, Time: time.Unix(100, 0)},
		},
		plan: rewind.Plan{Files: []rewind.File{
			{Path: "a.go", State: rewind.Back, Writers: []string{"main agent", "the helper"}},
			{Path: "b.go", State: rewind.Left, Why: "changed since by somebody else"},
			{Path: "c.go", State: rewind.Back, Removed: true},
			{Path: "big.bin", State: rewind.Cannot, Why: "too large"},
		}},
	}
}

// finished is a session that has had one prompt.
func finished(t *testing.T, r *rewindable, width, height int) *screen {
	s := newScreen(t, width, height, r.offer)
	s.ask("make it")
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	return s
}

// askAs starts another run of the root.
func (s *screen) askAs(run lifecycle.RunID, prompt string) {
	s.log(root, run, lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: prompt, From: lifecycle.FromUser}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

func TestRewindAsksWhatIsTakenBackAndFromWhom(t *testing.T) {
	r := someRewindable()
	s := finished(t, r, 100, 30)
	s.typed("/rewind")
	s.keys("enter")
	require.Contains(t, s.text(), "landing: fix the parser")
	require.Contains(t, s.text(), "4 files changed since")
	s.keys("down", "enter")
	for _, want := range []string{
		`Take back to before the prompt "make it"`, "(x) conversation and files", "[x] a.go  put back", "main agent, the helper",
		"[ ] b.go  left: changed since by somebody else", "c.go  removed: it was not there", "big.bin  cannot be put back: too large", "2 files put back, 2 left",
	} {
		require.Contains(t, s.text(), want)
	}
	s.keys("down", "space")
	require.Contains(t, s.text(), "[x] b.go")
	s.keys("enter")
	require.Equal(t, []rewind.Choice{{To: 1, Conversation: true, Files: true, Chosen: []string{"b.go"}}}, r.taken)
	require.Contains(t, s.text(), "taken back: all of it")
	require.Equal(t, "make it\nblue", s.line().Text, "the prompt can be changed and sent again")
	require.Equal(t, atComposer, s.at())
}

func TestARewindOverADraftKeepsThePromptForCtrlY(t *testing.T) {
	s := finished(t, someRewindable(), 120, 30)
	s.sent("/undo")
	s.line().Set("half a thought")
	s.keys("enter")
	require.Contains(t, s.text(), "ctrl+y inserts the prompt")
	require.Equal(t, "half a thought", s.line().Text)
	s.keys("ctrl+u", "ctrl+y", "alt+y")
	require.Equal(t, "make it\nblue", s.line().Text)
}

func TestTheFilesOrTheConversationAloneAreTakenBack(t *testing.T) {
	r := someRewindable()
	s := finished(t, r, 100, 30)
	for range 2 {
		s.typed("/undo")
		s.keys("enter", "tab")
		require.Contains(t, s.text(), "(x) files")
		s.keys("enter")
		require.Empty(t, s.line().Text)
	}
	s.typed("/undo")
	s.keys("enter", "shift+tab")
	require.Contains(t, s.text(), "the files stay as they are now")
	s.keys("enter")
	require.Equal(t, []rewind.Choice{{To: 1, Files: true}, {To: 1, Files: true}, {To: 1, Conversation: true}}, r.taken)
}

func TestWhatIsTypedIsNotReplacedByThePromptThatIsTakenBack(t *testing.T) {
	r := someRewindable()
	s := finished(t, r, 100, 30)
	s.typed("/undo")
	s.keys("enter")
	s.line().Set("half a thought")
	s.keys("enter")
	require.Equal(t, "half a thought", s.line().Text)
}

func TestARefusedRewindSaysWhyAndStays(t *testing.T) {
	r := someRewindable()
	r.err = errors.New(`the subagent "dig" is at work here: wait until it has ended`)
	s := finished(t, r, 100, 30)
	s.typed("/undo")
	s.keys("enter", "enter")
	require.Contains(t, s.text(), `the subagent "dig" is at work here`)
	require.Equal(t, atRewind, s.at())
	s.keys("esc")
	require.Equal(t, atComposer, s.at())
}

func TestNothingIsTakenBackWhereNoFileWouldBe(t *testing.T) {
	r := someRewindable()
	r.plan.Files = r.plan.Files[1:2]
	s := finished(t, r, 100, 30)
	s.typed("/undo")
	s.keys("enter", "tab", "enter")
	require.Empty(t, r.taken)
	require.Contains(t, s.text(), "no file has to be put back")
}

func TestTheFilesOfASubagentAloneAreTakenBackFromItsView(t *testing.T) {
	r := someRewindable()
	s := newScreen(t, 100, 30, r.offer)
	s.ask("make it")
	s.delegate("dig", true)
	s.end("dig", "run dig", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.show("dig")
	s.typed("/rewind")
	s.keys("enter")
	require.Contains(t, s.text(), `Take back the files of "dig" to before`)
	s.keys("down", "enter")
	require.Equal(t, lifecycle.SessionID("dig"), r.only)
	require.NotContains(t, s.text(), "conversation and files")
	s.keys("enter")
	require.Equal(t, []rewind.Choice{{To: 1, Files: true, Only: "dig"}}, r.taken)
}

func TestRTakesTheSessionBackToThePromptThatIsRead(t *testing.T) {
	r := someRewindable()
	s := finished(t, r, 100, 30)
	s.keys("ctrl+up")
	for s.talk(root).Blocks[0] != s.reader.block {
		s.keys("up")
	}
	require.True(t, slices.ContainsFunc(r.points, func(p rewind.Point) bool { return p.Seq == s.reader.block.Seq }))
	s.keys("r")
	require.Equal(t, atRewind, s.at())
	require.Contains(t, s.text(), `Take back to before the prompt "make it"`)
}

func TestEveryWidthHasRoomForWhatIsTakenBack(t *testing.T) {
	for _, size := range [][2]int{{20, 6}, {40, 10}, {80, 24}, {200, 60}} {
		s := finished(t, someRewindable(), size[0], size[1])
		s.typed("/undo")
		s.keys("enter", "down", "down", "down")
		s.look()
	}
}

// What was taken back is folded under its prompts, and comes back with the rewind of the rewind, also
// on a screen that comes later and reads the session from its end.
func TestWhatWasTakenBackIsFoldedAlsoForWhoComesLater(t *testing.T) {
	s := newScreen(t, 80, 40)
	s.ask("first wish")
	s.log(root, "r1", lifecycle.Text{Text: "first answer"})
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "first answer"})
	second := lifecycle.Seq(len(s.logged()) + 1)
	s.askAs("r2", "second wish")
	s.log(root, "r2", lifecycle.Text{Text: "second answer"})
	s.end(root, "r2", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "second answer"})
	rewound := lifecycle.Seq(len(s.logged()) + 1)
	s.log(root, "r2", lifecycle.Rewound{Operation: "o1", To: second, Prompt: "second wish", Conversation: true})
	require.Contains(t, s.text(), "first answer")
	require.Contains(t, s.text(), "taken back: second wish")
	require.NotContains(t, s.text(), "second answer")
	s.keys("ctrl+o")
	require.Contains(t, s.text(), "second answer", "details show it")
	s.keys("ctrl+o")

	all := s.talk(root).Records
	late := transcript.NewConversation(root, s.runs)
	for _, rec := range all[rewound-1:] {
		late.Fold(rec)
	}
	late.Prepend(all[:rewound-1])
	s.talks[root] = late
	s.picture.ready = false
	require.Contains(t, s.text(), "taken back: second wish")
	require.NotContains(t, s.text(), "second answer")

	s.log(root, "r2", lifecycle.Rewound{Operation: "o2", To: rewound, Prompt: "second wish", Conversation: true})
	require.Contains(t, s.text(), "second answer")
	require.NotContains(t, s.text(), "taken back: second wish")
}
