package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/completion"
)

func waits(id lifecycle.MessageID, from, text string) lifecycle.MessageQueued {
	return lifecycle.MessageQueued{Message: lifecycle.Message{ID: id, From: from, Text: text}}
}

// waitingMessages is a subagent's view with three messages that wait for its next
// step.
func waitingMessages(s *screen) {
	s.ask("go")
	s.delegate("audit refunds", true)
	s.keys("tab")
	s.log("audit refunds", "run audit refunds", lifecycle.Text{Text: "Looking."},
		waits("one", lifecycle.FromUser, "look at the tests too"),
		waits("two", lifecycle.FromAgent, "the ledger of 2019 is missing: leave it out"),
		waits("three", lifecycle.FromUser, "and check 漢字"))
}

func TestWaitingMessagesAreReachedByUpAndLeftByDown(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	require.Contains(t, s.text(), "↑ edit, move, delete")
	s.composers["audit refunds"].History = []string{"an earlier prompt"}
	s.keys("up")
	require.Equal(t, atQueue, s.at())
	require.Contains(t, s.text(), "› queued: and check 漢字")
	s.keys("up", "up")
	require.Contains(t, s.text(), "› queued: look at the tests too")
	s.keys("up")
	require.Equal(t, atView, s.at())
	require.Equal(t, "an earlier prompt", s.line().Text, "above the queue is the history")
	s.keys("up", "down")
	require.Equal(t, atView, s.at())
	s.keys("up", "esc")
	require.Equal(t, atView, s.at())
	require.Empty(t, s.route.taken())
}

func TestAMessageThatIsBeingEditedIsNoDraftUntilItIsChanged(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", waits("m", lifecycle.FromUser, "and check"))
	s.typed("half a thought")
	s.keys("up", "e")
	require.Equal(t, "and check", s.line().Text)
	require.Equal(t, "half a thought", s.draft(root), "it waits in the queue: both would be sent")
	s.typed("!")
	require.Equal(t, "half a thought\nand check!", s.draft(root))
}

func TestAWaitingMessageIsEditedInItsPlace(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.typed("half a thought")
	s.keys("up", "e")
	require.Equal(t, "and check 漢字", s.line().Text)
	require.Contains(t, s.text(), "being edited: ")
	s.typed("!")
	require.Equal(t, "half a thought\nand check 漢字!", s.draft(s.open), "both are kept if Pawl ends now")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.EditMessage{Session: "audit refunds", Message: "three", Text: "and check 漢字!"}}, s.route.taken())
	require.Equal(t, "half a thought", s.line().Text)
	s.keys("up", "enter")
	s.typed("?")
	s.keys("esc")
	require.Equal(t, "half a thought", s.line().Text)
	require.Empty(t, s.route.taken())
	s.keys("ctrl+y")
	require.Contains(t, s.line().Text, "and check 漢字?")
}

func TestAnEditWithoutTextIsNotSent(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.keys("up", "e", "ctrl+u", "enter")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "esc discards the change")
	s.keys("esc")
	require.False(t, s.editing())
}

func TestWaitingMessagesAreMovedAndWithdrawn(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	move := func(id lifecycle.MessageID, to int) lifecycle.Command {
		return lifecycle.MoveMessage{Session: "audit refunds", Message: id, To: to}
	}
	s.keys("up")
	for _, key := range []string{"K", "shift+up", "alt+up"} {
		s.keys(key)
		require.Equal(t, []lifecycle.Command{move("three", 1)}, s.route.taken(), key)
	}
	s.keys("J", "shift+down", "alt+down")
	require.Empty(t, s.route.taken(), "it is the last one")
	s.log("audit refunds", "run audit refunds", lifecycle.MessageMoved{Message: "three", To: 0})
	require.Contains(t, s.text(), "› queued: and check 漢字", "the focus goes with it")
	s.keys("J")
	require.Equal(t, []lifecycle.Command{move("three", 1)}, s.route.taken())
	for _, key := range []string{"d", "backspace", "delete"} {
		s.keys(key)
		require.Equal(t, []lifecycle.Command{lifecycle.WithdrawMessage{Session: "audit refunds", Message: "three"}}, s.route.taken(), key)
	}
	s.log("audit refunds", "run audit refunds", lifecycle.MessageWithdrawn{Message: "three"})
	require.Contains(t, s.text(), "› queued: look at the tests too", "the next one has the focus")
	s.keys("esc", "ctrl+y")
	require.Equal(t, "and check 漢字", s.line().Text)
}

func TestAMessageThatIsTakenInWhileItIsEditedLosesNothing(t *testing.T) {
	taken := lifecycle.MessageTaken{Message: "three", Step: 2, From: lifecycle.FromUser, Text: "and check 漢字"}
	back := lifecycle.MessageWithdrawn{Message: "three", Returned: true, From: lifecycle.FromUser, Text: "and check 漢字"}
	for name, c := range map[string]struct {
		typed string
		event lifecycle.Event
		want  string
		says  string
	}{
		"taken in, changed":   {"!", taken, "a draft\nand check 漢字!", "is a new message now"},
		"taken in, unchanged": {"", taken, "a draft", ""},
		"returned":            {"!", back, "a draft\nand check 漢字!", "back in the composer"},
		"returned, unchanged": {"", back, "a draft\nand check 漢字", "back in the composer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 120, 24)
			waitingMessages(s)
			s.typed("a draft")
			s.keys("up", "e")
			s.typed(c.typed)
			s.log("audit refunds", "run audit refunds", lifecycle.StepStarted{Step: 2}, c.event)
			require.False(t, s.editing())
			require.Equal(t, c.want, s.line().Text)
			require.Contains(t, s.text(), c.says)
			s.keys("enter")
			require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: "audit refunds", Text: c.want}}, s.route.taken())
		})
	}
}

func TestAChangeThatCameTooLateIsSaid(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.keys("up", "e")
	s.typed("!")
	s.route.err = errors.New("message three is no longer waiting")
	for _, gone := range s.runs.Inbox("audit refunds") { // its records have not been shown
		taken := s.records("audit refunds", "run audit refunds", lifecycle.MessageWithdrawn{Message: gone.ID})
		require.NoError(t, s.runs.Apply(taken[0]))
	}
	s.keys("enter")
	require.Contains(t, s.text(), "the message is no longer queued · your text is here as a new message")
	require.Equal(t, "and check 漢字!", s.line().Text)
}

func TestTheFocusReturnsToTheComposerWhenTheLastMessageIsTakenIn(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", waits("one", lifecycle.FromUser, "be brief"))
	s.keys("up")
	require.Equal(t, atQueue, s.at())
	s.log(root, "r1", lifecycle.StepStarted{Step: 2}, lifecycle.MessageTaken{Message: "one", Step: 2, From: lifecycle.FromUser, Text: "be brief"})
	require.Equal(t, atComposer, s.at())
	require.Contains(t, s.text(), "no messages are queued")
}

func TestMessagesThatComeBackKeepTheirOrder(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.typed("more")
	s.log("audit refunds", "run audit refunds",
		lifecycle.MessageWithdrawn{Message: "one", Returned: true, From: lifecycle.FromUser, Text: "look at the tests too"},
		lifecycle.MessageWithdrawn{Message: "three", Returned: true, From: lifecycle.FromUser, Text: "and check 漢字"})
	require.Equal(t, "look at the tests too\nand check 漢字\nmore", s.line().Text)
}

func TestAMessageSaysWhenItWasTakenInAndHowLongItWaited(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.pass(72 * time.Second)
	s.log("audit refunds", "run audit refunds", lifecycle.StepStarted{Step: 4},
		lifecycle.MessageTaken{Message: "one", Step: 4, From: lifecycle.FromUser, Text: "look at the tests too"})
	require.Contains(t, s.text(), "sent after 1m12s · step 4")
	require.Equal(t, 0, strings.Count(s.text(), "queued: look at the tests"))
}

func TestEnterOnAMessageThatIsEditedPutsItBackWhateverStandsInIt(t *testing.T) {
	for _, text := range []string{"/stop the press", "/stop", "see @re"} {
		s := newScreen(t, 80, 24, withFiles)
		s.ask("go")
		s.log(root, "r1", waits("m1", lifecycle.FromUser, "hello"))
		s.keys("up", "enter", "ctrl+u")
		require.True(t, s.editing())
		s.typed(text)
		s.completion.NarrowFiles(&s.files)
		s.files = completion.Folder{} // what stood in the list is gone
		s.keys("enter")
		require.Equal(t, []lifecycle.Command{lifecycle.EditMessage{Session: root, Message: "m1", Text: text}}, s.route.taken(), text)
	}
}

func TestWhatCameBackWithoutAScreenIsAboveTheDraftAndNotTwice(t *testing.T) {
	for draft, stands := range map[string]string{
		"":           "and hurry\nmore",
		"a draft":    "and hurry\nmore\na draft",
		"and hurr":   "and hurry\nmore", // kept while it was typed, and the next one not yet
		"mo ":        "and hurry\nmore",
		"and harder": "and hurry\nmore\nand harder",
	} {
		s := newScreen(t, 80, 24)
		back := func(id lifecycle.MessageID, text string) lifecycle.Event {
			return lifecycle.MessageWithdrawn{Message: id, Returned: true, From: lifecycle.FromUser, Text: text}
		}
		s.line().Set(draft)
		s.options.Returned = s.records(root, "r1", back("a", "and hurry"), back("b", "more"))
		s.carryOut(s.Init())
		require.Equal(t, stands, s.line().Text, draft)
		require.Contains(t, s.text(), "it is back in the composer")
		s.send(Opened{Snapshot: s.options.Snapshot, Returned: s.options.Returned})
		require.Equal(t, stands, s.line().Text, "it has been given")
	}
}
