package stories

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// open starts the screen on a stage and waits for its first picture.
func (s *stage) open(t testing.TB, args ...string) *terminal {
	t.Helper()
	x := start(t, s.dir, s.env, s.flags(args...)...)
	x.ready()
	return x
}

// ready waits for the first picture.
func (x *terminal) ready() {
	x.t.Helper()
	x.waitFor("a picture", func(screen string) bool { return x.opened() && strings.TrimSpace(screen) != "" })
}

// prompt types a line and sends it.
func (x *terminal) prompt(text string) {
	x.t.Helper()
	x.type_(text)
	x.see(text)
	x.type_(keyEnter)
}

// rest waits until the parent has nothing to do: before that, Ctrl+C and Esc on
// the composer mean its run.
func (x *terminal) rest() {
	x.t.Helper()
	x.seeNot("esc stops")
}

// quit leaves an idle session and gives the exit code. What is typed is cleared first.
func (x *terminal) quit() int {
	x.t.Helper()
	x.rest()
	cleared := "cleared · ctrl+y"
	if strings.Contains(x.screen(), cleared) { // another key has cleared the line
		cleared = "again quits"
	}
	x.type_(keyCtrlC)
	x.waitFor("its answer", func(screen string) bool { return strings.Contains(screen, "again quits") || strings.Contains(screen, cleared) })
	if !strings.Contains(x.screen(), "again quits") {
		x.type_(keyCtrlC)
	}
	x.see("again quits")
	x.type_(keyCtrlC)
	return x.wait()
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

func TestForegroundSubagentRunsToCompleted(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("count the functions"):
				return say("There is one ").until(release, "function: Add.")
			case h.answered("agent"):
				return say("One function, says the subagent.")
			}
			return do(delegate("count functions", "count the functions of calc.go")).saying("I ask somebody.")
		})
		x := s.open(t)
		x.prompt("delegate the counting")
		x.see("count functions", "There is one")
		close(release)
		x.see("count functions", "completed", "There is one function: Add.", "One function, says the subagent.")
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Len(t, got, 1)
		require.Equal(t, "completed", got[0].Status)
		require.Equal(t, "There is one function: Add.", got[0].Output)
		require.False(t, got[0].Partial)
		require.Equal(t, 0, x.quit())
	})
}

func TestEscStopsTheForegroundSubagentAndTheParentGoesOn(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("read everything"):
				return say("I have read ", "half of it").until(make(chan struct{}))
			case h.answered("agent"):
				return say("Then I go on without it.")
			}
			return do(delegate("slow reading", "read everything twice"), use("read", object{"path": "README.md"}))
		})
		x := s.open(t)
		x.prompt("delegate the reading")
		x.see("slow reading", "I have read half of it")
		x.type_(keyEsc)
		s.server.awaitLeft(t, s.server.await(t, fromChild("read everything")))

		h := s.server.await(t, parentTold("agent"))
		got := tellings(t, h)
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Equal(t, "key", got[0].Cause)
		require.Equal(t, "I have read half of it", got[0].Output)
		require.True(t, got[0].Partial)
		require.Contains(t, got[0].Message, "do not start it again")
		require.Contains(t, h.resultsOf("read")[0], "Adds numbers", "the sibling's result must stand")
		x.see("stopped by you", "Then I go on without it.")
		require.Equal(t, 0, x.quit())
	})
}

func TestCtrlCStopsTheParentWithItsForegroundSubagent(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("read everything"):
				return say("I have read half of it").until(make(chan struct{}))
			case h.asked("what became of it?"):
				return say("You stopped it.")
			}
			return do(delegate("slow reading", "read everything twice"))
		})
		x := s.open(t)
		x.prompt("delegate the reading")
		x.see("slow reading", "I have read half of it")
		x.type_(keyCtrlC)
		s.server.awaitLeft(t, s.server.await(t, fromChild("read everything")))
		x.see("stopped by you")
		x.prompt("what became of it?")
		h := s.server.await(t, parentAsked("what became of it?"))
		require.Len(t, s.server.all(fromParent), 2, "the main agent was stopped: it asks no more by itself")
		got := tellings(t, h)
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Equal(t, "I have read half of it", got[0].Output)
		x.see("You stopped it.")
		require.Equal(t, 0, x.quit())
	})
}

func TestSubagentThatEndsEmptyIsNudgedOnceAndToldAsEmpty(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("say nothing") && h.answered("read"):
				return nothing()
			case h.child("say nothing") && h.asked("eport what you found"):
				return nothing()
			case h.child("say nothing"):
				return do(use("read", object{"path": "calc.go"}))
			case h.answered("agent"):
				return say("It found no words.")
			}
			return do(delegate("stay silent", "say nothing at all"))
		})
		x := s.open(t)
		x.prompt("delegate silence")
		x.see("stay silent", "ended without an answer", "It found no words.")
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "completed_empty", got[0].Status)
		require.NotEmpty(t, got[0].Output, "no result text is ever empty")
		require.Contains(t, got[0].Message, "Nothing of it is running")
		require.Len(t, s.server.all(fromChild("say nothing")), 3, "its work, its silence, one nudge")
		require.Equal(t, 0, x.quit())
	})
}

func TestParallelSubagentsAnswerInTheOrderOfTheirCalls(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		slow := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("go slowly"):
				return say("slow").until(slow, " but sure")
			case h.child("go quickly"):
				return say("quick as that")
			case h.answered("agent"):
				return say("Both have answered.")
			}
			return do(delegate("the slow one", "go slowly"), delegate("the quick one", "go quickly"))
		})
		x := s.open(t)
		x.prompt("send both")
		x.see("the slow one", "quick as that")
		close(slow)
		x.see("Both have answered.")
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "slow but sure", got[0].Output)
		require.Equal(t, "quick as that", got[1].Output)
		require.Equal(t, 0, x.quit())
	})
}
