package ui

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

func TestWhatIsTypedIsKeptWhileAMessageIsOnItsWay(t *testing.T) {
	kept := map[lifecycle.SessionID]string{}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.SaveDraft = func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
			kept[session] = text
			return nil
		}
	})
	s.ask("go")
	s.delegate("audit", true)
	s.line().Paste("pasted and sent at once")
	_, first := s.Update(key("enter"))
	s.send(draftDue{})
	require.Equal(t, "pasted and sent at once", kept[root], "though it never stood in a line that was kept")
	s.typed("!make")
	_, second := s.Update(key("enter"))
	s.typed("the next one")
	s.keys("tab")
	s.typed("to audit")
	s.send(draftDue{})
	require.Equal(t, map[lifecycle.SessionID]string{root: "pasted and sent at once\n!make\nthe next one", "audit": "to audit"}, kept)
	s.carryOut(second)
	require.Equal(t, "pasted and sent at once\nthe next one", kept[root], "what has arrived is in the draft no more, without waiting")
	s.route.err = errors.New("no space left on device")
	s.carryOut(first)
	require.Equal(t, "pasted and sent at once\nthe next one", kept[root], "it is back in the line")
	require.Equal(t, kept[root], s.composerOf(root).Text)
}

func TestALongDraftHoldsNobodyUpAndIsNotOvertaken(t *testing.T) {
	var saved []string
	disk, writes := make(chan struct{}), make(chan struct{}, 3)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.SaveDraft = func(_ lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
			writes <- struct{}{}
			<-disk
			saved = append(saved, text)
			return nil
		}
	})
	var saving sync.WaitGroup
	save := func() {
		cmd := s.saveDraft()
		saving.Go(func() { cmd() })
	}
	long := pastedLines("log", 10_000)
	s.line().Paste(long)
	save()
	<-writes
	for _, line := range []string{"[paste 1: 10,000 lines]a\n", "[paste 1: 10,000 lines]ab\n"} { // while the disk takes its time
		s.typed(line[len(line)-2 : len(line)-1])
		require.Contains(t, s.text(), line)
		save()
	}
	close(disk)
	saving.Wait()
	require.Equal(t, []string{long, long + "ab"}, saved, "in order, and only the newest of those that waited")
}
