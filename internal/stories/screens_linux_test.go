package stories

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// twoScreens are two screens of one session, the second attached.
func twoScreens(t *testing.T, s *harness.Stage, prompt, shows string) (first, second *harness.Terminal) {
	t.Helper()
	first = s.Open(t)
	first.Prompt(prompt)
	first.See(shows)
	second = harness.Start(t, s.Dir, s.Env, "attach")
	second.See(shows)
	return first, second
}

func TestAQuestionAnsweredOnOneScreenVanishesFromTheOther(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("shell"):
			return modeltest.Say("It has run.")
		case h.Asked("again"):
			return modeltest.Say("Gladly.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran >> made.txt"}))
	})
	first, second := twoScreens(t, s, "run it", "wants to use shell")
	second.Answer("y")
	for _, x := range []*harness.Terminal{first, second} {
		x.See("It has run.")
		x.SeeNot("wants to use shell")
	}
	first.Rest()
	second.Rest()
	require.Equal(t, 0, second.Quit())
	require.Contains(t, second.Raw(), "the session is open on another screen: pawl attach ")
	first.Prompt("again")
	first.See("Gladly.")
	require.Equal(t, 0, first.Quit())
	require.Len(t, s.Server.All(modeltest.ParentTold("shell")), 1)
}

// Nothing runs any more and the parent is about to be woken: who quits one of two screens then takes
// nothing from the other.
func TestAWakeUpIsNotCancelledByWhoQuitsAnotherScreenBeforeIt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", make(chan struct{})), "I have heard of it."))
	x, other := twoScreens(t, s, "go", "I dig")
	x.Type(harness.KeyTab)
	x.See("1 of 1")
	x.Type(harness.KeyCtrlC)
	other.See("a dig · stopped by you")
	require.Equal(t, 0, other.Quit())
	x.Type(harness.KeyLeft)
	x.See("I have heard of it.")
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "a dig")
}

func TestATerminalThatIsNotReadHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("a long tale") {
			return modeltest.Say(strings.Repeat("Once upon a time there was a line, and one more. \n\n", 4000) + "The end.")
		}
		return modeltest.Say("It adds.").Until(release, " And more.")
	})
	first, second := twoScreens(t, s, "what is it?", "It adds.")
	held, letGo := make(chan struct{}), make(chan struct{})
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		first.WithEmulator(func(*vt.Emulator) { close(held); <-letGo })
	}()
	<-held // from here on nobody reads the first terminal
	require.NoError(t, syscall.Kill(first.Cmd.Process.Pid, syscall.SIGSTOP))
	close(release)
	second.See("And more.")
	second.Rest()
	second.Prompt("a long tale")
	second.See("The end.")
	second.Rest()
	second.Type(harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgDown)
	second.Prompt("what is it, again?")
	second.See("It adds. And more.")
	second.Rest()
	close(letGo)
	<-reading
	require.NoError(t, syscall.Kill(first.Cmd.Process.Pid, syscall.SIGCONT))
	first.See("It adds. And more.")
	require.Equal(t, 0, second.Quit())
	require.Equal(t, 0, first.Quit())
}

// takesNothing has a terminal take nothing, as behind a slow line or after Ctrl+S, until it is told to go on.
func takesNothing(t *testing.T, x *harness.Terminal) (goOn func()) {
	t.Helper()
	terminal, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", x.Cmd.Process.Pid), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetInt(int(terminal.Fd()), unix.TCXONC, unix.TCOOFF))
	return func() {
		require.NoError(t, unix.IoctlSetInt(int(terminal.Fd()), unix.TCXONC, unix.TCOON))
		require.NoError(t, terminal.Close()) // whoever holds it has it stay open
	}
}

// Its host gives such a terminal up after a second, and the front waits for it.
func TestATerminalThatTakesNothingWhileItsScreenIsLeftIsRightInTheEnd(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds.") })
	first, second := twoScreens(t, s, "what is it?", "It adds.")
	goOn := takesNothing(t, first)
	require.NoError(t, syscall.Kill(first.Cmd.Process.Pid, syscall.SIGTERM))
	require.Eventually(t, func() bool { return openSessions(t, s)[0].Screens == 1 }, modeltest.Patience, 10*time.Millisecond)
	goOn()
	require.Equal(t, 143, first.Wait())
	require.Equal(t, 0, second.Quit())

	fleet := harness.Start(t, s.Dir, s.Env, "fleet")
	fleet.See("what is it?")
	goOn = takesNothing(t, fleet)
	fleet.Type("q")
	ofFleet := func(line string) bool { return strings.Contains(line, "fleet") }
	require.Eventually(t, func() bool { return len(s.Processes(ofFleet)) == 1 }, modeltest.Patience, 10*time.Millisecond, "its front alone is left")
	goOn()
	require.Equal(t, 0, fleet.Wait())
}

func TestAFrontWhoseTerminalTakesNothingEndsWhenItIsToldToOnceMore(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds.") })
	first, second := twoScreens(t, s, "what is it?", "It adds.")
	goOn := takesNothing(t, first)
	require.NoError(t, syscall.Kill(first.Cmd.Process.Pid, syscall.SIGTERM))
	require.Eventually(t, func() bool { return openSessions(t, s)[0].Screens == 1 }, modeltest.Patience, 10*time.Millisecond)
	require.NoError(t, syscall.Kill(first.Cmd.Process.Pid, syscall.SIGTERM))
	first.AwaitEnd()
	require.Equal(t, 143, first.Cmd.ProcessState.ExitCode())
	goOn()
	require.Equal(t, 0, second.Quit())
}

func TestAFrontThatIsKilledLeavesItsTerminalRight(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", release, "and found a stone."), "A stone it is.")).
		With("PAWL_ON_HANGUP=detach", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0") // it has a progress bar
	first, second := twoScreens(t, s, "go", "I dig")
	for _, x := range []*harness.Terminal{first, second} {
		require.NoError(t, syscall.Kill(x.Cmd.Process.Pid, syscall.SIGKILL))
		x.AwaitEnd()
		require.Eventually(t, func() bool { return x.Wrong() == nil }, modeltest.Patience, 10*time.Millisecond, "its host puts it right")
		require.False(t, x.Opened())
	}
	s.Server.RequireOpen(t, modeltest.FromChild("dig"))
	third := harness.Start(t, s.Dir, s.Env, "attach")
	third.See("It is on its way.", "I dig")
	close(release)
	third.See("A stone it is.")
	require.Equal(t, 0, third.Quit())
}

func TestEveryScreenOfAHostThatIsKilledSaysSoInOneLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", make(chan struct{})), "I have heard of it."))
	first, second := twoScreens(t, s, "go", "I dig")
	first.See("It is on its way.")
	require.NoError(t, syscall.Kill(first.Pawl(), syscall.SIGKILL))
	require.Equal(t, 137, first.Wait())
	require.Equal(t, 1, second.Wait())
	for x, says := range map[*harness.Terminal]string{
		first:  "pawl: it was killed (SIGKILL, or out of memory); the session is saved: pawl --continue opens it",
		second: "pawl: the session's process is gone; what was recorded is saved: pawl attach ",
	} {
		_, last, _ := strings.Cut(x.Raw(), leaveAlt)
		require.Equal(t, 1, strings.Count(last, "pawl: "), last)
		require.Contains(t, last, says)
		require.NotContains(t, last, "goroutine ")
	}
	third := harness.Start(t, s.Dir, s.Env, "attach")
	third.See("It is on its way.", "interrupted")
	require.Equal(t, 0, third.Quit())
}
