package stories

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestTheDashboardShowsEachRunAndOpensIt(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, oneDig(digging("I begin to dig.", release, " Stone."), "Stone, it says."))
		x := s.Open(t)
		x.Prompt("send one")
		x.See("It is on its way.", "I begin to dig.")
		x.SeeNot("esc stops") // while the main agent works, its row is above the subagent's
		x.Type("half a line", harness.KeyCtrlT)
		x.See("Dashboard", "main agent", "a dig", "by need · 2 of 2")
		x.Type("s")
		x.See("by start · 1 of 2")
		x.Type("j")
		x.See("2 of 2")
		x.Type(harness.KeyPgUp)
		x.See("1 of 2")
		x.Type(harness.KeyPgDown)
		x.See("2 of 2")
		close(release)
		x.See("completed", "delivered at")
		x.Type("k")
		x.See("1 of 2")
		x.Type("S")
		x.See("by need")
		x.Type("s")
		x.See("by start")
		x.Type("/", "dig")
		x.See("/dig", "1 of 1")
		x.Type(harness.KeyEnter, harness.KeyEsc)
		x.See("Dashboard", "of 2")
		x.Type(harness.KeyTab)
		x.See("no run asks you anything")
		x.Type("k")
		x.See("1 of 2")
		for _, shut := range []string{harness.KeyCtrlT, "q", harness.KeyCtrlC, harness.KeyEsc} {
			x.Type(shut)
			x.See("half a line")
			x.Type(harness.KeyCtrlT)
			x.See("Dashboard")
		}
		x.Type(harness.KeyDown)
		x.See("2 of 2")
		x.Type(harness.KeyUp)
		x.See("1 of 2")
		x.Type(harness.KeyDown, harness.KeyEnter)
		x.See("dig to the bottom", "Stone.")
		x.Type(harness.KeyCtrlT, harness.KeyEnter)
		x.See("dig to the bottom", "← a dig")
		x.Type(harness.KeyLeft)
		x.See("half a line", "Stone, it says.")
		require.Equal(t, 0, x.Quit())
	})
}

// Tools, a question and a stop are on the lanes as they come, the cursor names each,
// and all of it is there again when the session is opened by another process.
func TestTheDashboardShowsToolsAQuestionAndAStopLive(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Answered("shell"):
			return modeltest.Say("I go on digging.").Until(make(chan struct{}))
		case h.Child("dig") && h.Answered("list"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		case h.Child("dig"):
			return modeltest.Do(modeltest.Use("list", modeltest.Object{})).Saying("I begin to dig.").Until(release)
		case h.Answered("agent"):
			return modeltest.Say("It was stopped.")
		}
		return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("I begin to dig.")
	x.Type(harness.KeyCtrlT, harness.KeyDown)
	x.See("2 of 2", "│0s")
	close(release)
	x.See("wants to use shell")
	x.SeeMatch(`› a dig .*━.*\?`)
	x.Type(harness.KeyCtrlT)
	x.SeeNot("│0s")
	x.Type(harness.KeyCtrlT)
	x.See("│0s", "wants to use shell")
	x.SeeNot("pause to answer")
	x.Type("y")
	x.SeeNot("wants to use shell")
	x.Type(harness.KeyDown)
	x.SeeMatch(`› a dig .*\?.*━━`) // the model has the result
	x.Type(harness.KeyLeft)
	x.See("so far")
	x.Type("l")
	x.SeeNot("so far")
	x.Type("q")
	x.See("I go on digging.", "esc stops")
	x.Type(harness.KeyEsc)
	x.See("It was stopped.")
	x.Rest()
	seen := func() {
		x.Type(harness.KeyCtrlT, harness.KeyDown)
		x.See("2 of 2")
		x.SeeMatch(`› a dig .*\?.*■`) // its records are read
		x.Type(harness.KeyEnd, harness.KeyLeft)
		x.See("stopped by you")
		x.Type("h")
		x.See("stop requested by you")
		x.Type("h", "h")
		x.See("question shell echo ran > made.txt, yes, by you")
		x.Type("h")
		x.See("tool shell echo ran > made.txt, ok")
		x.Type("h", "h")
		x.See("tool list", "step 1")
		x.Type(harness.KeyHome)
		x.SeeNot("tool list")
	}
	seen()
	x.Type(harness.KeyRight, "+", "=")
	x.SeeMatch(`Dashboard · [0-9.a-z]+ of `)
	x.Type("-", "0")
	x.WaitFor("the whole", func(screen string) bool {
		return !regexp.MustCompile(`Dashboard · [0-9.a-z]+ of `).MatchString(screen)
	})
	x.Type(harness.KeyEnter)
	x.See("← a dig", "enter open")
	x.Type("q", harness.KeyLeft)
	x.See("It was stopped.")
	require.Equal(t, 0, x.Quit())

	x = s.Open(t, "--continue")
	x.See("It was stopped.")
	seen()
	x.Type("q")
	require.Equal(t, 0, x.Quit())
}

// A row of the dashboard takes the keys of a subagent's line: it is stopped there at the second
// press, and written to.
func TestARowOfTheDashboardTakesTheKeysOfALine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig.", make(chan struct{})), "It was stopped."))
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.", "I dig.")
	x.SeeNot("esc stops") // while the main agent works, its row is above the subagent's
	x.Type(harness.KeyCtrlT, harness.KeyUp)
	x.See("by need · 1 of 2", "m message · x x stop", "a dig · running")
	x.Type("x")
	x.See("x again stops it")
	x.Type("x")
	x.See("stopped by you", "It was stopped.")
	x.Type("m")
	x.See("← a dig", `Message "a dig"`)
	x.Type(harness.KeyLeft)
	x.See("It was stopped.")
	require.Equal(t, 0, x.Quit())
}
