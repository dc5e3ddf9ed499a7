package stories

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestOnePromptIsReachedWhileItRunsAndAScreenThereIsToldOfItsEnd(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(release, ", and am done.")
	})
	prompt := s.Command(t, "-p", "dig")
	var out strings.Builder
	prompt.Stdout = &out
	require.NoError(t, prompt.Start())
	s.Server.Await(t, modeltest.FromParent)
	open := openSessions(t, s)
	require.Len(t, open, 1)
	id := open[0].Session
	x := harness.Start(t, s.Dir, s.Env, "attach", id[28:])
	x.See("I have just begun")
	y := harness.Start(t, s.Dir, s.Env, "attach", id)
	y.See("I have just begun")
	y.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, y.Wait())
	require.Contains(t, y.Raw(), "the main agent goes on: pawl attach "+id[28:])
	close(release)
	harness.WaitEnd(t, prompt)
	require.Equal(t, 0, prompt.ProcessState.ExitCode())
	require.Equal(t, "I have just begun, and am done.\n", out.String())
	require.Equal(t, 0, x.Wait())
	require.Contains(t, x.Raw(), "pawl -p, which had this session open, has ended. To go on: pawl --session "+id)
}

func TestAnEditorsSessionIsShownOnAScreenAsWell(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("from the screen") {
			return modeltest.Say("It is on the screen.")
		}
		return modeltest.Say("I have heard.")
	})
	e := newEditor(t, s)
	got, err := e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: s.Dir, McpServers: []sdk.McpServer{}})
	require.NoError(t, err)
	id := string(got.SessionId)
	_, err = e.Prompt(t.Context(), sdk.PromptRequest{SessionId: got.SessionId, Prompt: []sdk.ContentBlock{sdk.TextBlock("from the editor")}})
	require.NoError(t, err)
	require.Equal(t, "idle", openSessions(t, s)[0].State)
	x := harness.Start(t, s.Dir, s.Env, "attach", id)
	x.See("from the editor", "I have heard.")
	x.Prompt("from the screen")
	x.See("It is on the screen.")
	require.Equal(t, "It is on the screen.\n", ran(t, s, "wait", id))
	require.Equal(t, 0, x.Quit())
	require.Contains(t, x.Raw(), "the session is open in an editor: pawl attach "+id[28:])
	require.Equal(t, "I have heard.\n", ran(t, s, "-p", "--session", id, "from a command"))
	y := harness.Start(t, s.Dir, s.Env, "attach", id)
	y.See("from a command")
	require.Zero(t, e.hangUp())
	require.Equal(t, 0, y.Wait())
	require.Contains(t, y.Raw(), "an editor, which had this session open, has ended.")
}

// listening puts a socket where a session's would be, which answers everybody alike.
func listening(t *testing.T, s *harness.Stage, id, answer string) net.Listener {
	t.Helper()
	folder := filepath.Join(s.Home, "state", "run")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	l, err := net.Listen("unix", filepath.Join(folder, id+".sock"))
	require.NoError(t, err)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				_, _ = conn.Write([]byte(answer))
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
	})
	return l
}

func TestASocketOfGarbageAndOneThatIsLeftOverAreOneLineEach(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have heard.") })
	listening(t, s, "0abc1234", "GARBAGE\x00\xff\n")
	says := turnedDown(t, s, 0, "ps")
	require.Contains(t, says, "session 0abc1234: ")
	for _, args := range [][]string{{"send", "0abc1234", "hi"}, {"stop", "0abc1234"}, {"answer", "0abc1234"}, {"wait", "0abc1234"}, {"watch", "0abc1234"}} {
		require.NotContains(t, turnedDown(t, s, 1, args...), "GARBAGE")
	}
	left := listening(t, s, "0def5678", "").(*net.UnixListener)
	left.SetUnlinkOnClose(false)
	require.NoError(t, left.Close())
	report := ran(t, s, "doctor", "--offline")
	require.Contains(t, report, "the socket of session 0def5678, whose process is gone: removed")
	require.NoFileExists(t, filepath.Join(s.Home, "state", "run", "0def5678.sock"))
	require.Contains(t, turnedDown(t, s, 2, "wait", "0def5678"), `no session "0def5678"`)
}

func TestDoctorListsWhoHasSessionsOpen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	})
	id := detached(t, s, "dig")
	s.Server.Await(t, modeltest.FromParent)
	require.Eventually(t, func() bool { // a host has a second for its answer
		report := strings.Join(strings.Fields(ran(t, s, "doctor", "--offline")), " ")
		return harness.ContainsAll(report, "has session "+id+` open, "dig"`, "state/run/"+id+".sock")
	}, modeltest.Patience, 10*time.Millisecond)
}
