package stories

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestCtrlCStopsTheParentAndThePartialTextStands(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and then?") {
			return modeltest.Say("Then I was stopped.")
		}
		return modeltest.Say("I was about ", "to say").Until(make(chan struct{}))
	})
	x := s.Open(t)
	x.Prompt("tell me")
	x.See("I was about to say")
	x.Type(harness.KeyCtrlC)
	s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromParent))
	x.See("stopped")
	x.Rest()
	x.Prompt("and then?")
	x.See("Then I was stopped.")
	require.Equal(t, "I was about to say", s.Server.Await(t, modeltest.ParentAsked("and then?")).Messages[1].Text)
	x.Rest()
	x.Type(harness.KeyCtrlC)
	x.See("ctrl+c again quits")
	x.Type(harness.KeyCtrlC)
	require.Equal(t, 0, x.Wait())
}

func TestEscAndCtrlCLeaveWhatHasEnded(t *testing.T) {
	t.Parallel()
	s, x, one, two := twoAtWork(t, modeltest.Chat())
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	close(one)
	x.See("I have heard of an end.", "One has a door.")
	x.Type(harness.KeyEsc) // on its line
	x.SeeNot("enter open")
	for _, leave := range []string{harness.KeyEsc, harness.KeyCtrlC} {
		x.Type(harness.KeyTab)
		x.See(`Message "first look"`)
		x.Type(leave)
		x.See("Ask Pawl anything")
	}
	s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
	close(two)
	x.WaitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	require.Equal(t, 0, x.Quit())
}

func TestARequestThatIsStoppedWhileItAnswersIsPaidForAsAnEstimate(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply {
			return modeltest.Say("I was about ", "to say").Until(make(chan struct{}))
		})
		x := s.Open(t)
		x.Prompt("tell me")
		x.See("I was about to say")
		x.Type(harness.KeyEsc)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromParent))
		x.See("stopped")
		x.Rest()                                                 // what it took stands once it has ended
		guessed := p.Name == "openai" || p.Name == "openai-chat" // the others have counted by then
		if guessed {
			x.Prompt("/cost")
			x.See("Cost: ")
			x.SeeMatch(`~\d+`)
			x.Type(harness.KeyEsc)
			x.SeeNot("Cost: ")
		}
		require.Equal(t, 0, x.Quit())
		list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
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
		text := exportOf(t, s, strings.Fields(list)[0])
		require.NoError(t, json.Unmarshal([]byte(text), &story))
		require.Greater(t, story.Totals.All.In, int64(100), "the prompt and the tools")
		require.GreaterOrEqual(t, story.Totals.All.Out, int64(5))
		if guessed {
			require.Equal(t, story.Totals.All.In+story.Totals.All.Out, story.Totals.All.Guessed)
		}
		out, errs, code := harness.Run(t, s.Dir, s.Env, "verify", strings.Fields(list)[0])
		require.Equal(t, 0, code, out+errs)
	})
}

// While Pawl ends, its terminal is one of lines again: the key is a signal by then, at
// which the kernel may drop what the terminal has not read yet.
func TestAThirdCtrlCWhilePawlEndsLeavesTheTerminalInOrder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have read it.") })
	for range 5 {
		x := s.Open(t)
		x.Type(harness.KeyCtrlC)
		x.See("again quits")
		x.Type(harness.KeyCtrlC)
		x.WaitFor("its last picture taken away", func(string) bool { return !x.Opened() })
		x.TryType(harness.KeyCtrlC)
		require.Contains(t, []int{0, 130}, x.Wait())
	}
}
