package ui

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/terminal"
	"pawl/ui/timeline"
)

// logOf is the log of a session with steps and a tool each, a second apart.
func logOf(steps int) []lifecycle.Record {
	events := []lifecycle.Event{lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "go"}}, lifecycle.Started{}}
	for i := range steps {
		call := lifecycle.CallID(fmt.Sprint(i))
		events = append(events, lifecycle.StepStarted{Step: i + 1}, lifecycle.UsageReported{},
			lifecycle.ToolStarted{Call: call, Tool: "read", Label: fmt.Sprintf("file %d", i)}, lifecycle.ToolEnded{Call: call, Tool: "read", Status: lifecycle.ToolOK})
	}
	records := make([]lifecycle.Record, len(events))
	for i, event := range events {
		records[i] = lifecycle.Record{Seq: lifecycle.Seq(i + 1), Time: epoch.Add(time.Duration(i) * time.Second), Root: root, Session: root, Run: "r1", Event: event}
	}
	return records
}

// reopenedAt is a screen over a session of which the first so many records were there
// before; read is asked for them.
func reopenedAt(t *testing.T, log []lifecycle.Record, known int, read func(after lifecycle.Seq, limit int) ([]lifecycle.Record, error)) *screen {
	var run lifecycle.Run
	for _, rec := range log[:known] {
		var err error
		run, err = run.Apply(rec)
		require.NoError(t, err)
	}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: lifecycle.Seq(known), Reopened: true, Runs: []lifecycle.Run{run}}
		o.Records = func(_ context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			return read(after, limit)
		}
	})
	s.now = log[len(log)-1].Time
	return s
}

func toolsOn(s *screen) (labels []string) {
	for _, mark := range s.history.Marks(root, s.now) {
		if mark.Kind == lifecycle.SpanTool {
			labels = append(labels, mark.Label)
		}
	}
	return labels
}

// The timeline of an old session is read once it is asked for, by pages; what comes
// meanwhile and afterwards is on it once, whatever had come when a page was read.
func TestTheTimelineOfAnOldSessionIsReadWithoutGapOrRepeat(t *testing.T) {
	const steps = 390 // some pages
	log := logOf(steps)
	var want []string
	for i := range steps {
		want = append(want, fmt.Sprintf("read file %d, ok", i))
	}
	for _, ahead := range []int{0, 1, 7, 40} { // how far the disk is ahead of the watch
		written, told := 1400, 1400-ahead
		var s *screen
		tell := func(n int) {
			from := told
			told = min(len(log), told+n)
			s.send(lifecycle.Updates{Records: log[from:told]})
		}
		reads := 0
		s = reopenedAt(t, log, told, func(after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			reads++
			written = min(len(log), written+3)
			return log[after:min(int(after)+limit, written)], nil
		})
		require.Zero(t, reads, "nobody has asked for it")
		_, cmd := s.Update(key("ctrl+t"))
		require.Contains(t, s.text(), "reading the log: 0 %", "it opens at once")
		for cmd != nil { // each page, with news between its reading and its coming
			page := pageOf(t, cmd)
			tell(2)
			_, cmd = s.Update(page)
			s.View()
		}
		require.NotContains(t, s.text(), "reading")
		for told < len(log) {
			tell(17)
		}
		require.Equal(t, want[len(want)-5:], toolsOn(s)[len(toolsOn(s))-5:])
		count := 0
		for _, mark := range s.history.Lanes[root].Marks {
			if mark.Kind == lifecycle.SpanTool {
				count += 1 + mark.More
			}
		}
		require.Equal(t, steps, count, "%d ahead", ahead)
		require.LessOrEqual(t, reads, 8)
	}
}

// pageOf carries out the command that reads a page, among others.
func pageOf(t *testing.T, cmd tea.Cmd) historyRead {
	switch msg := cmd().(type) {
	case historyRead:
		return msg
	case tea.BatchMsg:
		for _, one := range msg {
			if one == nil {
				continue
			}
			if page, is := one().(historyRead); is {
				return page
			}
		}
	}
	require.FailNow(t, "no page is read")
	return historyRead{}
}

func TestALogThatCannotBeReadIsSaidOnTheTimelineAndTriedAgain(t *testing.T) {
	log := logOf(3)
	broken := errors.New("disk I/O error")
	s := reopenedAt(t, log, len(log), func(after lifecycle.Seq, limit int) ([]lifecycle.Record, error) { return log[after:], broken })
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "the log cannot be read: disk I/O error")
	require.Empty(t, toolsOn(s))
	broken = nil
	s.keys("esc", "ctrl+t")
	require.NotContains(t, s.text(), "cannot be read")
	require.Len(t, toolsOn(s), 3)

	s = reopenedAt(t, log, len(log), func(after lifecycle.Seq, limit int) ([]lifecycle.Record, error) { return nil, nil })
	s.keys("ctrl+t")
	require.Contains(t, s.text(), "record 1 is missing")
}

// The timeline of a session that is still being opened stands at once, and goes on with
// what the opening itself has recorded.
func TestTheTimelineOfASessionThatIsBeingOpened(t *testing.T) {
	log := logOf(20)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: 60, Reopened: true}
		o.Records = func(_ context.Context, after lifecycle.Seq, _ int) ([]lifecycle.Record, error) {
			return log[after:max(60, after)], nil
		}
	})
	_, cmd := s.Update(key("ctrl+t"))
	require.Contains(t, s.text(), "reading the log")
	s.keys("left", "right", "down", "home", "end", "0")
	s.typed("+-")
	s.carryOut(cmd)
	require.Len(t, toolsOn(s), 14)
	var run lifecycle.Run
	for _, rec := range log[:70] {
		run, _ = run.Apply(rec)
	}
	s.options.Records = func(_ context.Context, after lifecycle.Seq, _ int) ([]lifecycle.Record, error) {
		return log[after:70], nil
	}
	s.send(Opened{Snapshot: lifecycle.Snapshot{Root: root, Seq: 70, Reopened: true, Runs: []lifecycle.Run{run}}})
	require.Len(t, toolsOn(s), 17)
	s.send(lifecycle.Updates{Records: log[70:]})
	require.Len(t, toolsOn(s), 20)
}

// However long a session is, a lane holds a bounded number of marks, and none is lost
// to the count.
func TestALaneHoldsABoundedNumberOfMarks(t *testing.T) {
	var h timeline.History
	for _, rec := range logOf(20_000) {
		h.Fold(rec)
	}
	marks := h.Lanes[root].Marks
	require.LessOrEqual(t, len(marks), lanes.ManyMarks)
	require.Greater(t, len(marks), lanes.ManyMarks/8)
	count := map[lifecycle.SpanKind]int{}
	for _, mark := range marks {
		count[mark.Kind] += 1 + mark.More
		require.LessOrEqual(t, len(mark.Label), timeline.LabelKept)
	}
	require.Equal(t, map[lifecycle.SpanKind]int{lifecycle.SpanQueued: 1, lifecycle.SpanModel: 20_000, lifecycle.SpanTool: 20_000}, count)
}

// The plan and the files of an old session stand in their columns as soon as its log is read.
func TestTheFilesOfAnOldSessionAreInTheTableOnceItsLogIsRead(t *testing.T) {
	log := logOf(3)
	last := &log[len(log)-1]
	done := last.Event.(lifecycle.ToolEnded)
	done.View = agent.EncodeView(agent.DiffView{Path: "refund.go", Added: 2, Removed: 1})
	last.Event = done
	s := reopenedAt(t, log, len(log), func(after lifecycle.Seq, _ int) ([]lifecycle.Record, error) { return log[after:], nil })
	_, cmd := s.Update(key("ctrl+t"))
	require.NotContains(t, s.text(), "refund.go")
	s.carryOut(cmd)
	require.Contains(t, s.text(), "refund.go +2 −1")
	require.Contains(t, s.text(), "files")
}
