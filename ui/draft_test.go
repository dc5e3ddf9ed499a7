package ui

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

func TestALongDraftHoldsNobodyUpAndIsNotOvertaken(t *testing.T) {
	var saved []string
	disk, writes := make(chan struct{}), make(chan struct{}, 3)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.SaveDraft = func(_ lifecycle.SessionID, text string) {
			writes <- struct{}{}
			<-disk
			saved = append(saved, text)
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
