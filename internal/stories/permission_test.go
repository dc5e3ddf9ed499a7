package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// asked waits for the question about that command, and until keys count as an answer:
// for a moment they may have been meant for the line that it covers.
func (x *terminal) asked() {
	x.t.Helper()
	x.see("wants to use shell", "echo ran > made.txt")
	x.seeNot("pause to answer")
}

// answer gives the question in front an answer, once it takes one.
func (x *terminal) answer(key string) {
	x.t.Helper()
	x.seeNot("pause to answer")
	x.type_(key)
}

// answerWide gives an answer that is wider than the call.
func (x *terminal) answerWide(key string) {
	x.t.Helper()
	x.answer(key)
	x.see(key + " again allows every")
	x.type_(key)
}

// wantsShell is the script of a parent that runs one command and says how it went.
func wantsShell(h heard) reply {
	if h.answered("shell") {
		return say("That was that.")
	}
	return do(use("shell", object{"command": "echo ran > made.txt; echo printed"}))
}

func TestShellRunsWhenTheUserSaysYes(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, wantsShell)
		x := s.open(t)
		x.prompt("run it")
		x.asked()
		require.NoFileExists(t, s.dir+"/made.txt")
		require.Len(t, s.server.all(fromParent), 1)
		x.type_("y")
		x.see("That was that.")
		require.FileExists(t, s.dir+"/made.txt")
		require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "printed")
		require.Equal(t, 0, x.quit())
	})
}

func TestShellIsDeniedWhenTheUserSaysNoAndTheModelIsTold(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		for _, no := range []string{"n", keyEsc} {
			s := set(t, p, wantsShell)
			x := s.open(t)
			x.prompt("run it")
			x.asked()
			x.type_(no)
			x.see("That was that.")
			require.NoFileExists(t, s.dir+"/made.txt")
			require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "Denied")
			require.Equal(t, 0, x.quit())
		}
	})
}

func TestShellIsNotAskedAboutInBypassMode(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, wantsShell)
		x := s.open(t, "--permission-mode", "bypass")
		x.prompt("run it")
		x.see("That was that.")
		require.FileExists(t, s.dir+"/made.txt")
		require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "printed")
		require.Equal(t, 0, x.quit())
	})
}

func TestSubagentsQuestionNamesTheSubagent(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("make the file"):
				return wantsShell(h)
			case h.answered("agent"):
				return say("It is made.")
			}
			return do(delegate("file making", "make the file"))
		})
		x := s.open(t)
		x.prompt("delegate it")
		x.asked()
		x.see("file making wants to use")
		x.type_("y")
		x.see("It is made.")
		require.FileExists(t, s.dir+"/made.txt")
		require.Equal(t, 0, x.quit())
	})
}

func TestBackgroundRunIsDeniedWithoutAQuestion(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("make the file"):
				return wantsShell(h)
			case len(h.notices()) > 0:
				return say("I have heard of an end.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("file making", "make the file"))
		})
		x := s.open(t)
		x.prompt("send it")
		x.see("1 denied", "I have heard of an end.")
		require.NoFileExists(t, s.dir+"/made.txt")
		h := s.server.await(t, func(h heard) bool { return h.child("make the file") && h.answered("shell") })
		require.Contains(t, h.resultsOf("shell")[0], "Denied")
		require.Equal(t, 0, x.quit())
	})
}

func TestCardGrantsWhatWasDeniedAndTheSubagentTriesAgain(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("make the file") && h.answered("shell") && containsAll(h.resultsOf("shell")[0], "Denied"):
				return say("I was not allowed to.")
			case h.child("make the file") && h.answered("shell"):
				return say("Made it.")
			case h.child("make the file"):
				return do(use("shell", object{"command": "echo ran > made.txt"}))
			case len(h.notices()) > 0:
				return say("I have heard of an end.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("file making", "make the file"))
		})
		x := s.open(t)
		x.prompt("send it")
		x.see("1 denied", "I have heard of an end.")
		x.rest()
		x.type_(keyDown)
		x.see("g grant")
		x.type_("g")
		x.see("Denied to \"file making\"", "1 of 1 chosen")
		x.type_("g")
		x.see("again, and these are allowed until you quit")
		x.type_("g")
		x.see("Made it.")
		require.FileExists(t, s.dir+"/made.txt")
		s.server.await(t, func(h heard) bool {
			return h.parent() && len(h.notices()) == 2 && containsAll(h.notices()[1], "<result>Made it.</result>")
		})
	})
}

func TestCtrlCOnAQuestionDeniesItAndStopsThatRun(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("make the file"):
				return wantsShell(h)
			case h.answered("agent"):
				return say("You stopped it.")
			}
			return do(delegate("file making", "make the file"))
		})
		x := s.open(t)
		x.prompt("delegate it")
		x.see("wants to use shell")
		x.type_(keyCtrlC)
		x.see("You stopped it.")
		require.NoFileExists(t, s.dir+"/made.txt")
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "canceled_by_user", got[0].Status)
		require.Len(t, s.server.all(fromChild("make the file")), 1)
		require.Equal(t, 0, x.quit())
	})
}
