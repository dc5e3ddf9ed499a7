package stories

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
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
	s.Configured(t, "[[hooks]]\nevent = \""+event+"\"\ncommand = \"in=$(cat); sleep 1; echo \\\"$in\\\" >> told\"\n")
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

// hungHook is a session in which all has ended, and whose hook hangs. works tells whether it still does.
func hungHook(t *testing.T) (s *harness.Stage, x *harness.Terminal, works func() bool) {
	t.Helper()
	s = harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	gate := filepath.Join(t.TempDir(), "gate")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	s.Configured(t, "[[hooks]]\nevent = \"AllEnded\"\ncommand = \"cat > asked; cat '"+gate+"'\"\n")
	x = s.Open(t)
	x.Prompt("be quick")
	x.See("Done.")
	called(t, s.Dir+"/asked", 1)
	return s, x, func() bool {
		file, err := os.OpenFile(gate, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) { // nobody reads
			return false
		}
		require.NoError(t, err)
		require.NoError(t, file.Close())
		return true
	}
}

// The bound that docs/hooks.md names, and twice as much again for a machine that is busy.
func TestAHookThatHangsHoldsNoQuitForLong(t *testing.T) {
	t.Parallel()
	s, x, works := hungHook(t)
	since := time.Now()
	require.Equal(t, 0, x.Quit())
	require.Less(t, time.Since(since), 15*time.Second)
	s.AwaitNoHost(t)
	require.False(t, works())
}

func TestASignalWaitsForNoHook(t *testing.T) {
	t.Parallel()
	s, x, works := hungHook(t)
	host := openSessions(t, s)[0].PID
	since := time.Now()
	require.NoError(t, syscall.Kill(host, syscall.SIGTERM))
	require.Equal(t, 143, x.Wait())
	s.AwaitNoHost(t)
	require.Less(t, time.Since(since), 5*time.Second, "else the hook was waited for")
	require.False(t, works())
}
