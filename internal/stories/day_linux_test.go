package stories

import (
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/daytest"
	"pawl/internal/modeltest"
)

// workday is a model that works through the lines of a day: the first half itself, then by a
// subagent that it waits for, the last by one in the background.
type workday struct {
	mu   sync.Mutex
	left map[string][]daytest.Line // by who runs them

	beside, behind bool // they were started
}

func newWorkday(lines []daytest.Line) *workday {
	half, last := len(lines)/2, len(lines)-5
	return &workday{left: map[string][]daytest.Line{"parent": lines[:half], "beside": lines[half:last], "behind": lines[last:]}}
}

func (w *workday) answer(h modeltest.Request) modeltest.Reply {
	who := "parent"
	for _, child := range []string{"beside", "behind"} {
		if h.Child(child) {
			who = child
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if left := w.left[who]; len(left) > 0 {
		w.left[who] = left[1:]
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": left[0].Command}))
	}
	switch {
	case who == "parent" && !w.beside:
		w.beside = true
		return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "work beside", "prompt": "beside"}))
	case who == "parent" && !w.behind:
		w.behind = true
		return modeltest.Do(modeltest.Launch("working", "behind"))
	}
	return modeltest.Say("Done.")
}

// recordedDay works through the day with a person who says yes, but for the network, and gives how
// often they were asked and how often a call was denied because nobody could be, by its records.
func recordedDay(t *testing.T, sandboxed string) (asked, denied int) {
	t.Helper()
	var lines []daytest.Line
	network := map[string]bool{}
	s, outside := caged(t, func(outside string) func(modeltest.Request) modeltest.Reply {
		for _, line := range daytest.Lines(outside) {
			if line.Runs(exec.LookPath) {
				lines = append(lines, line)
				network[line.Command] = line.Needs == daytest.Network
			}
		}
		return newWorkday(lines).answer
	})
	require.NoError(t, os.RemoveAll(s.Dir+"/.git"))
	daytest.Lay(t, s.Dir)
	s.With("PAWL_PERMISSIONS_SANDBOXED="+sandboxed, "HOME="+outside, "PAWL_LIMITS_MAX_STEPS=200")
	p := newPartner(t, s, "--trust", "work through the day")
	p.quiet = 5 * time.Minute // Go compiles its own library, for one
	for over := false; !over; {
		line := p.until("a question or the end", func(l streamLine) bool { return l.Type == "idle" || l.Event == "permission_asked" })
		if over = line.Type == "idle"; over {
			continue
		}
		answer := modeltest.Object{"type": "answer", "question": line.Data.Question, "answer": "once"}
		if network[line.Data.Subject] {
			answer["answer"] = "no"
		}
		p.say(answer)
	}
	_, _ = p.hangsUp()
	for _, line := range p.seen {
		switch {
		case line.Event != "permission_granted" && line.Event != "permission_denied":
		case line.Data.By == "person":
			asked++
		case line.Data.By == "nobody":
			denied++
		}
	}
	t.Logf("%s: %d commands", sandboxed, len(lines))
	return asked, denied
}

func TestARecordedDayOfWorkAsksAFifthOfTheQuestions(t *testing.T) {
	t.Parallel()
	before, deniedBefore := recordedDay(t, "ask")
	after, deniedAfter := recordedDay(t, "allow")
	t.Logf("questions of the recorded day: %d before, %d after; denied because nobody could be asked, among others: %d before, %d after", before, after, deniedBefore, deniedAfter)
	require.Less(t, after*5, before)
	require.LessOrEqual(t, deniedAfter, deniedBefore)
}
