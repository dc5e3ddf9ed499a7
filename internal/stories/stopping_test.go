package stories

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCtrlCStopsTheParentAndThePartialTextStands(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(h heard) reply {
		if h.asked("and then?") {
			return say("Then I was stopped.")
		}
		return say("I was about ", "to say").until(make(chan struct{}))
	})
	x := s.open(t)
	x.prompt("tell me")
	x.see("I was about to say")
	x.type_(keyCtrlC)
	s.server.awaitLeft(t, s.server.await(t, fromParent))
	x.see("stopped")
	x.prompt("and then?")
	x.see("Then I was stopped.")
	require.Equal(t, "I was about to say", s.server.await(t, parentAsked("and then?")).messages[1].text)
	x.rest()
	x.type_(keyCtrlC)
	x.see("ctrl+c again quits")
	x.type_(keyCtrlC)
	require.Equal(t, 0, x.wait())
}

func TestEscAndCtrlCLeaveWhatHasEnded(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, chatProtocol(), twoLooks(one, two))
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	x.type_(keyDown)
	x.see("enter open")
	close(one)
	x.see("I have heard of an end.", "One has a door.")
	x.type_(keyEsc) // on its line
	x.seeNot("enter open")
	for _, leave := range []string{keyEsc, keyCtrlC} {
		x.type_(keyTab)
		x.see(`Message "first look"`)
		x.type_(leave)
		x.see("Ask Pawl anything")
	}
	s.server.requireOpen(t, fromChild("look at two"))
	close(two)
	x.waitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	require.Equal(t, 0, x.quit())
}

func TestARequestThatIsStoppedWhileItAnswersIsPaidForAsAnEstimate(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return say("I was about ", "to say").until(make(chan struct{})) })
		x := s.open(t)
		x.prompt("tell me")
		x.see("I was about to say")
		x.type_(keyEsc)
		s.server.awaitLeft(t, s.server.await(t, fromParent))
		x.see("stopped")
		guessed := p.name == "openai" || p.name == "openai-chat" // the others have counted by then
		if guessed {
			x.prompt("/cost")
			x.see("Cost: ")
			x.seeMatch(`~\d+`)
			x.type_(keyEsc)
			x.seeNot("Cost: ")
		}
		require.Equal(t, 0, x.quit())
		list, errs, code := run(t, s.dir, s.env, "sessions")
		require.Equal(t, 0, code, errs)
		var story struct {
			Totals struct {
				All struct {
					In      int64 `json:"input_tokens"`
					Out     int64 `json:"output_tokens"`
					Guessed int64 `json:"estimated_tokens"`
				}
			}
		}
		text := s.story(t, strings.Fields(list)[0])
		require.NoError(t, json.Unmarshal([]byte(text), &story))
		require.Greater(t, story.Totals.All.In, int64(100), "the prompt and the tools")
		require.GreaterOrEqual(t, story.Totals.All.Out, int64(5))
		if guessed {
			require.Equal(t, story.Totals.All.In+story.Totals.All.Out, story.Totals.All.Guessed)
		}
		out, errs, code := run(t, s.dir, s.env, "verify", strings.Fields(list)[0])
		require.Equal(t, 0, code, out+errs)
	})
}

// While Pawl ends, its terminal is one of lines again: the key is a signal by then, at
// which the kernel may drop what the terminal has not read yet.
func TestAThirdCtrlCWhilePawlEndsLeavesTheTerminalInOrder(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("I have read it.") })
	for range 5 {
		x := s.open(t)
		x.type_(keyCtrlC)
		x.see("again quits")
		x.type_(keyCtrlC)
		x.waitFor("its last picture taken away", func(string) bool { return !x.opened() })
		x.tryType(keyCtrlC)
		require.Contains(t, []int{0, 130}, x.wait())
	}
}
