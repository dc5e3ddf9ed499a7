package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// nothingEvil holds what Pawl wrote to be free of what a model wanted to do to
// the terminal.
func nothingEvil(t *testing.T, written string) {
	t.Helper()
	for _, evil := range []string{"\x1b]0;evil", "\x1b]52;", "\x1b[8m", "\x1b[99;99H", "\x07evil", "\u009b", "\u202e", "\revil"} {
		require.NotContains(t, written, evil)
	}
}

const hostile = "fair \x1b]0;evil title\x07\x1b]52;c;ZXZpbA==\x07\x1b[8m\x1b[99;99Hwords \u009b31m\u202e here\revil"

func TestTextOfOthersDoesNothingToTheTerminal(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		script := func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("be nasty"):
				return modeltest.Say(hostile)
			case h.Answered("agent"):
				return modeltest.Say(hostile, " The end.")
			}
			return modeltest.Do(modeltest.Delegate(hostile, "be nasty "+hostile), modeltest.Use("read", modeltest.Object{"path": hostile})).Saying(hostile)
		}
		s := harness.NewStage(t, p, script)
		x := s.Open(t)
		x.Prompt("go")
		x.See("The end.")
		x.Type(harness.KeyCtrlO)
		require.Equal(t, 0, x.Quit())
		nothingEvil(t, x.Raw())

		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
		require.Equal(t, 0, code)
		require.Contains(t, out, "The end.")
		nothingEvil(t, out)
		nothingEvil(t, errs)
		out, _, code = harness.Run(t, s.Dir, s.Env, "sessions")
		require.Equal(t, 0, code)
		nothingEvil(t, out)
	})
}

func TestEscStopsTheParentAndItsPartialTextStandsInTheNextRequest(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if h.Asked("and then?") {
				return modeltest.Say("Then I was stopped.")
			}
			return modeltest.Say("I was about ", "to say").Until(make(chan struct{}))
		})
		x := s.Open(t)
		x.Prompt("tell me")
		x.See("I was about to say")
		x.Type(harness.KeyEsc)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromParent))
		x.See("stopped")
		x.Rest()
		x.Prompt("and then?")
		x.See("Then I was stopped.")
		h := s.Server.Await(t, modeltest.ParentAsked("and then?"))
		require.Equal(t, "I was about to say", h.Messages[1].Text)
		require.Equal(t, 0, x.Quit())
	})
}

func TestCutStreamIsTriedAgainAndItsTextTakenBack(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		times := 0
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply {
			if times++; times == 1 {
				return modeltest.Reply{Text: []string{"Half a sen"}, Cut: true}
			}
			return modeltest.Say("A whole sentence.")
		})
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "A whole sentence.\n", out)
		histories := s.Server.All(modeltest.FromParent)
		require.Len(t, histories, 2)
		require.Len(t, histories[1].Messages, 1, "the half sentence was never said")
	})
}

func TestMessageToABusyParentIsTakenInAtItsNextStep(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if h.Asked("be brief") {
				return modeltest.Say("Briefly: Add.")
			}
			answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I look.")
			answer.Hold = release
			return answer
		})
		x := s.Open(t)
		x.Prompt("what is there?")
		x.See("I look.")
		x.Prompt("be brief")
		x.See("Ask Pawl") // the line is empty again: the message waits
		close(release)
		x.See("Briefly: Add.", "be brief")
		h := s.Server.Await(t, modeltest.ParentAsked("be brief"))
		require.True(t, h.Answered("read"), "after the results, in the same request")
		require.Equal(t, 0, x.Quit())
	})
}

func TestArgumentsThatDoNotFitAreToldToTheModel(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if len(h.News()[0].Results) > 0 {
				return modeltest.Say("I see.")
			}
			calls := []modeltest.Call{modeltest.Use("read", modeltest.Object{"path": 5}), modeltest.Use("grep", modeltest.Object{}), modeltest.Use("reed", modeltest.Object{"path": "x"})}
			if p.Name != "gemini" { // whose arguments are an object on the wire already
				calls = append(calls, modeltest.Call{Name: "list", Input: `{"path": "unfin`})
			}
			return modeltest.Do(calls...)
		})
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "I see.\n", out)
		results := s.Server.AwaitNth(t, 2, modeltest.FromParent).News()[0].Results
		require.Contains(t, results[0].Text, "path")
		require.Contains(t, results[1].Text, "pattern")
		require.Contains(t, results[2].Text, "reed")
		if len(results) > 3 {
			require.Contains(t, results[3].Text, "JSON")
		}
	})
}

func TestPastedLinesAreOneMessage(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Say("Three lines.") })
		x := s.Open(t)
		x.Type("\x1b[200~first line\nsecond 行\n\tthird\x1b[201~")
		x.See("first line", "second 行", "third")
		require.Empty(t, s.Server.All(modeltest.FromParent))
		x.Type(harness.KeyEnter)
		x.See("Three lines.")
		require.Contains(t, s.Server.Await(t, modeltest.FromParent).Messages[0].Text, "first line\nsecond 行\n\tthird")
		require.Equal(t, 0, x.Quit())
	})
}

func TestSessionGoesOnWithAnotherProvider(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for _, other := range modeltest.Protocols() {
			if other.Name == p.Name {
				continue
			}
			s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("count"):
					return modeltest.Say("One: Add.")
				case h.Asked("go on") && !h.Answered("read"):
					return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
				case h.Answered("read") && h.Asked("go on"):
					return modeltest.Surprised()
				case h.Protocol != p.Name:
					return modeltest.Say("Gone on.")
				case h.Answered("agent"):
					return modeltest.Say("One, it says.")
				}
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "README.md"}), modeltest.Delegate("a count", "count the functions")).Saying("I look.")
			})
			_, errs, code := s.Prompted(t, "-p", "begin")
			require.Equal(t, 0, code, errs)
			s.Model = other.Model
			r, errs, code := s.Prompted(t, "--continue", "-p", "go on")
			require.Equal(t, 0, code, "%s to %s: %s", p.Name, other.Name, errs)
			require.Equal(t, "Gone on.", r.Output)
			last := s.Server.AwaitNth(t, 4, modeltest.FromParent)
			require.Equal(t, other.Name, last.Protocol)
			require.Len(t, last.Messages, 7)
		}
	})
}

func TestEnterTriesAgainWhatTheModelsServerFailed(t *testing.T) {
	p := modeltest.Anthropic()
	asked := 0
	s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply {
		if asked++; asked <= 6 {
			return refused(503, "we are down")(p)
		}
		return modeltest.Say("Here I am again.")
	})
	x := s.Open(t)
	x.Prompt("go")
	x.See("model server: ", "we are down", "Gave up after 6 tries. Enter tries again.")
	x.Type(harness.KeyEnter)
	x.See("Here I am again.")
	require.Equal(t, 0, x.Quit())
	last := s.Server.All(modeltest.FromParent)
	messages := last[len(last)-1].Messages
	require.Contains(t, messages[0].Text, "go", "what was asked still stands")
	require.Equal(t, 7, asked)
}
