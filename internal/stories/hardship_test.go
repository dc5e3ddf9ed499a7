package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
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
	anyProtocol(t, func(t *testing.T, p protocol) {
		script := func(h heard) reply {
			switch {
			case h.child("be nasty"):
				return say(hostile)
			case h.answered("agent"):
				return say(hostile, " The end.")
			}
			return do(delegate(hostile, "be nasty "+hostile), use("read", object{"path": hostile})).saying(hostile)
		}
		s := set(t, p, script)
		x := s.open(t)
		x.prompt("go")
		x.see("The end.")
		x.type_(keyCtrlO)
		require.Equal(t, 0, x.quit())
		nothingEvil(t, x.raw())

		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
		require.Equal(t, 0, code)
		require.Contains(t, out, "The end.")
		nothingEvil(t, out)
		nothingEvil(t, errs)
		out, _, code = run(t, s.dir, s.env, "sessions")
		require.Equal(t, 0, code)
		nothingEvil(t, out)
	})
}

func TestEscStopsTheParentAndItsPartialTextStandsInTheNextRequest(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			if h.asked("and then?") {
				return say("Then I was stopped.")
			}
			return say("I was about ", "to say").until(make(chan struct{}))
		})
		x := s.open(t)
		x.prompt("tell me")
		x.see("I was about to say")
		x.type_(keyEsc)
		s.server.awaitLeft(t, s.server.await(t, fromParent))
		x.see("stopped")
		x.prompt("and then?")
		x.see("Then I was stopped.")
		h := s.server.await(t, parentAsked("and then?"))
		require.Equal(t, "I was about to say", h.messages[1].text)
		require.Equal(t, 0, x.quit())
	})
}

func TestCutStreamIsTriedAgainAndItsTextTakenBack(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		times := 0
		s := set(t, p, func(heard) reply {
			if times++; times == 1 {
				return reply{text: []string{"Half a sen"}, cut: true}
			}
			return say("A whole sentence.")
		})
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "A whole sentence.\n", out)
		histories := s.server.all(fromParent)
		require.Len(t, histories, 2)
		require.Len(t, histories[1].messages, 1, "the half sentence was never said")
	})
}

func TestMessageToABusyParentIsTakenInAtItsNextStep(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			if h.asked("be brief") {
				return say("Briefly: Add.")
			}
			answer := do(use("read", object{"path": "calc.go"})).saying("I look.")
			answer.hold = release
			return answer
		})
		x := s.open(t)
		x.prompt("what is there?")
		x.see("I look.")
		x.prompt("be brief")
		x.see("Ask Pawl") // the line is empty again: the message waits
		close(release)
		x.see("Briefly: Add.", "be brief")
		h := s.server.await(t, parentAsked("be brief"))
		require.True(t, h.answered("read"), "after the results, in the same request")
		require.Equal(t, 0, x.quit())
	})
}

func TestArgumentsThatDoNotFitAreToldToTheModel(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			if len(h.news()[0].results) > 0 {
				return say("I see.")
			}
			calls := []call{use("read", object{"path": 5}), use("grep", object{}), use("reed", object{"path": "x"})}
			if p.name != "gemini" { // whose arguments are an object on the wire already
				calls = append(calls, call{name: "list", input: `{"path": "unfin`})
			}
			return do(calls...)
		})
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "I see.\n", out)
		results := s.server.awaitNth(t, 2, fromParent).news()[0].results
		require.Contains(t, results[0].text, "path")
		require.Contains(t, results[1].text, "pattern")
		require.Contains(t, results[2].text, "reed")
		if len(results) > 3 {
			require.Contains(t, results[3].text, "JSON")
		}
	})
}

func TestPastedLinesAreOneMessage(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return say("Three lines.") })
		x := s.open(t)
		x.type_("\x1b[200~first line\nsecond 行\n\tthird\x1b[201~")
		x.see("first line", "second 行", "third")
		require.Empty(t, s.server.all(fromParent))
		x.type_(keyEnter)
		x.see("Three lines.")
		require.Contains(t, s.server.await(t, fromParent).messages[0].text, "first line\nsecond 行\n\tthird")
		require.Equal(t, 0, x.quit())
	})
}

func TestSessionGoesOnWithAnotherProvider(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		for _, other := range protocols() {
			if other.name == p.name {
				continue
			}
			s := set(t, p, func(h heard) reply {
				switch {
				case h.child("count"):
					return say("One: Add.")
				case h.asked("go on") && !h.answered("read"):
					return do(use("read", object{"path": "calc.go"}))
				case h.answered("read") && h.asked("go on"):
					return surprised()
				case h.protocol != p.name:
					return say("Gone on.")
				case h.answered("agent"):
					return say("One, it says.")
				}
				return do(use("read", object{"path": "README.md"}), delegate("a count", "count the functions")).saying("I look.")
			})
			_, errs, code := s.prompted(t, "-p", "begin")
			require.Equal(t, 0, code, errs)
			s.model = other.model
			r, errs, code := s.prompted(t, "--continue", "-p", "go on")
			require.Equal(t, 0, code, "%s to %s: %s", p.name, other.name, errs)
			require.Equal(t, "Gone on.", r.Output)
			last := s.server.awaitNth(t, 4, fromParent)
			require.Equal(t, other.name, last.protocol)
			require.Len(t, last.messages, 7)
		}
	})
}

func TestEnterTriesAgainWhatTheModelsServerFailed(t *testing.T) {
	p := anthropicProtocol()
	asked := 0
	s := set(t, p, func(heard) reply {
		if asked++; asked <= 6 {
			return refused(503, "we are down")(p)
		}
		return say("Here I am again.")
	})
	x := s.open(t)
	x.prompt("go")
	x.see("model server: ", "we are down", "Gave up after 6 tries. Enter tries again.")
	x.type_(keyEnter)
	x.see("Here I am again.")
	require.Equal(t, 0, x.quit())
	last := s.server.all(fromParent)
	messages := last[len(last)-1].messages
	require.Contains(t, messages[0].text, "go", "what was asked still stands")
	require.Equal(t, 7, asked)
}
