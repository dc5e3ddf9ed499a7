package stories

import (
	"bufio"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// slowHook calls a person by a program that takes a moment, as one does that sends something.
func slowHook(t *testing.T, s *harness.Stage, event string) {
	t.Helper()
	s.Configured(t, "[[hooks]]\nevent = \""+event+"\"\ncommand = \"read -r in; sleep 1; echo \\\"$in\\\" >> told\"\n")
}

// worksUntil is a model that has begun, and goes on once the test lets it.
func worksUntil(release chan struct{}) func(modeltest.Request) modeltest.Reply {
	return func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(release, ", and am done.")
	}
}

func TestAPersonWhoHasDetachedIsCalledOnceAllHasEnded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), worksUntil(release))
	slowHook(t, s, "AllEnded")
	x := s.Open(t)
	x.Prompt("dig")
	x.See("I have just begun")
	x.Type("\x1c")
	require.Equal(t, 0, x.Wait())
	close(release)
	require.Contains(t, called(t, s.Dir+"/told", 1)[0], `"message":"Pawl: completed"`)
	s.AwaitNoHost(t)
}

func TestAPersonWhoQuitsOnceAllHasEndedIsCalled(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), worksUntil(release))
	slowHook(t, s, "AllEnded")
	x := s.Open(t)
	x.Prompt("dig")
	x.See("I have just begun")
	x.Type("\x04") // Ctrl+D
	x.See("wait for them, then quit")
	x.Type("w")
	x.See("quits when")
	close(release)
	require.Equal(t, 0, x.Wait())
	require.Contains(t, called(t, s.Dir+"/told", 1)[0], `"message":"Pawl: completed"`)
}

func TestAPersonIsCalledForASubagentThatEndedShortlyBeforeAPromptWithoutAScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("Dug.")
		case len(h.Notices()) > 0:
			return modeltest.Say("All is told.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
	})
	slowHook(t, s, "Notification")
	cmd := s.Command(t, "-p", "send one")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "All is told.\n", line)
	harness.WaitEnd(t, cmd)
	require.Equal(t, 0, cmd.ProcessState.ExitCode())
	require.Contains(t, called(t, s.Dir+"/told", 1)[0], `"notification_type":"agent_completed"`)
}

// hungHook is a session in which all has ended, and whose hook hangs: it holds the line.
func hungHook(t *testing.T) (s *harness.Stage, x *harness.Terminal, line *lifeline) {
	t.Helper()
	s = harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	line = newLifeline(t, s)
	s.Configured(t, "[[hooks]]\nevent = \"AllEnded\"\ncommand = \"cat > asked; exec sleep 1000 > line\"\n")
	x = s.Open(t)
	x.Prompt("be quick")
	x.See("Done.")
	called(t, s.Dir+"/asked", 1)
	line.taken(t)
	return s, x, line
}

// The bound that docs/hooks.md names is 5 s; a hook that was waited for to its own limit would take 60 s.
func TestAHookThatHangsHoldsNoQuitForLong(t *testing.T) {
	t.Parallel()
	s, x, line := hungHook(t)
	since := time.Now()
	require.Equal(t, 0, x.Quit())
	require.Less(t, time.Since(since), 30*time.Second)
	s.AwaitNoHost(t)
	line.gone(t)
}

func TestASignalWaitsForNoHook(t *testing.T) {
	t.Parallel()
	s, x, line := hungHook(t)
	host := openSessions(t, s)[0].PID
	since := time.Now()
	require.NoError(t, syscall.Kill(host, syscall.SIGTERM))
	line.gone(t)
	require.Less(t, time.Since(since), 5*time.Second, "else the hook was waited for")
	require.Equal(t, 143, x.Wait())
	s.AwaitNoHost(t)
}
