package ui

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// refusing is a screen on which the words of a no are being typed, and where drafts are kept.
func refusing(t *testing.T) (s *screen, kept map[lifecycle.SessionID]string) {
	t.Helper()
	s, kept = asked(t), map[lifecycle.SessionID]string{}
	s.options.SaveDraft = func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
		kept[session] = text
		return nil
	}
	s.keys("r")
	s.typed("use make clean")
	return s, kept
}

func TestTheWordsOfANoAreKeptAsTheyAreTyped(t *testing.T) {
	s, kept := refusing(t)
	require.True(t, s.draftDue)
	s.send(draftDue{})
	require.Equal(t, "use make clean", kept[root], "as after a line that broke")
	s.keys("esc")
	s.send(draftDue{})
	require.Empty(t, kept[root], "they were given up; ctrl+y brings them back")
	s.keys("r", "ctrl+y", "enter")
	s.send(draftDue{})
	require.Empty(t, kept[root], "they have arrived")
}

func TestTheWordsOfANoAreKeptAboveWhatIsInTheLine(t *testing.T) {
	s, kept := refusing(t)
	s.line().Set("half a line")
	s.send(draftDue{})
	require.Equal(t, "use make clean\nhalf a line", kept[root])
}

func TestTheWordsOfANoThatDidNotArriveAreBack(t *testing.T) {
	s, kept := refusing(t)
	s.send(draftDue{})
	s.route.err = errors.New("no space left on device")
	_, saying := s.Update(key("enter"))
	s.send(draftDue{})
	require.Equal(t, "use make clean", kept[root], "until it has arrived")
	s.carryOut(saying)
	require.Equal(t, atReason, s.at())
	require.Equal(t, "use make clean", s.asking.reason.Text)
	require.Contains(t, s.text(), "no space left on device")
	s.route.err = nil
	s.route.taken()
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{Reason: "use make clean", By: "person"}}}, s.route.taken())

	s, kept = refusing(t)
	s.route.err = lifecycle.ErrUnknown
	s.keys("enter")
	require.Equal(t, "use make clean", s.line().Text, "another screen was first")
	require.Contains(t, s.text(), "answered already")
	s.send(draftDue{})
	require.Equal(t, "use make clean", kept[root])
}
