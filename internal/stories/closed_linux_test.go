package stories

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// reaching connects to a server of this machine.
func reaching(t *testing.T) (line string, came <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	visits := make(chan struct{}, 8)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			visits <- struct{}{}
			_ = c.Close()
		}
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return "echo tried >> tries && exec 3<>/dev/tcp/127.0.0.1/" + port + " && echo connected", visits
}

// What no rule speaks about runs at once, in the foreground and in the background, as a subagent in
// the background and in a process of its own too; what the sandbox refuses it nobody repeats.
func TestCommandsInTheClosedSandboxNeedNobody(t *testing.T) {
	t.Parallel()
	line, came := reaching(t)
	s, outside := caged(t, func(outside string) func(modeltest.Request) modeltest.Reply {
		commands := func(of string) modeltest.Reply {
			return modeltest.Do(
				modeltest.Use("shell", modeltest.Object{"command": "echo " + of + " > " + of}),
				modeltest.Use("shell", modeltest.Object{"command": line}),
				modeltest.Use("shell", modeltest.Object{"command": "git push origin main"}),
				modeltest.Use("shell", modeltest.Object{"command": "cat " + outside + "/.ssh/id"}),
			)
		}
		return func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("apart") && !h.Answered("shell"):
				return commands("apart")
			case h.Child("beside") && !h.Answered("shell"):
				return commands("beside")
			case h.Child("apart"), h.Child("beside"):
				return modeltest.Say("Done.")
			case h.Answered("shell_output"):
				return modeltest.Say("All done.")
			case len(h.Notices()) > 0:
				return modeltest.Say("All done.")
			case h.Answered("task"):
				return modeltest.Do(modeltest.Launch("working", "beside"))
			case h.Answered("agent"):
				return modeltest.Say("It works.")
			case h.Answered("shell"):
				return modeltest.Do(task("apart", false))
			}
			return commands("parent")
		}
	})
	write := func(folder, name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	write(outside, ".ssh/id", "CANARY")
	s.With("PAWL_PERMISSIONS_SANDBOXED=allow", "HOME="+outside).Configured(t, "[permissions]\ndeny = [\"shell(git push *)\"]\n")
	r, errs, code := s.Prompted(t, "-p", "work", "--trust")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "All done.", r.Output)
	for _, who := range []string{"parent", "apart", "beside"} {
		require.FileExists(t, filepath.Join(s.Dir, who))
		told := s.Server.Await(t, func(h modeltest.Request) bool {
			return (who == "parent" && h.Parent() || h.Child(who)) && h.Answered("shell")
		}).ResultsOf("shell")
		require.Contains(t, told[0], "exit code 0", who)
		require.Contains(t, told[2], "shell(git push *)", who)
		require.NotContains(t, told[3], "CANARY", who)
	}
	require.Empty(t, came, "nobody was let out")
}

func TestWhatTheClosedSandboxRefusedIsAskedOnTheScreen(t *testing.T) {
	t.Parallel()
	line, came := reaching(t)
	s, _ := caged(t, func(string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			switch results(h) {
			case 0:
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": line}))
			case 1:
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": line, "description": "again"}))
			}
			return modeltest.Say("Reached it.")
		}
	})
	s.With("PAWL_PERMISSIONS_SANDBOXED=allow")
	x := s.Open(t, "--trust")
	x.Prompt("reach it")
	x.See("wants to use shell", "seems to have refused it the network")
	x.See("this command until you quit")
	require.Empty(t, came)
	x.Answer("s")
	x.See("s again allows this command until you quit")
	x.Type("s")
	x.See("Reached it.")
	<-came
	<-came
	told := func(n int) string {
		return s.Server.Await(t, func(h modeltest.Request) bool { return results(h) == n }).ResultsOf("shell")[0]
	}
	require.Contains(t, told(1), "this was its second run")
	require.NotContains(t, told(2), "second run", "it was known by then, and not asked about again")
	tries, err := os.ReadFile(filepath.Join(s.Dir, "tries"))
	require.NoError(t, err)
	require.Equal(t, "tried\ntried\ntried\n", string(tries))
	require.Equal(t, 0, x.Quit())
}

// results counts the results of calls in a request.
func results(h modeltest.Request) (n int) {
	for _, m := range h.Messages {
		n += len(m.Results)
	}
	return n
}

// Its command is kept by Pawl's process, which the condition of the yes reaches too.
func TestACommandInTheBackgroundOfATaskStaysInTheClosedSandbox(t *testing.T) {
	t.Parallel()
	line, came := reaching(t)
	s, outside := caged(t, func(outside string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("apart") && h.Answered("shell_output"):
				return modeltest.Say("Done.")
			case h.Child("apart") && h.Answered("shell"):
				return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": shellIn(h), "wait_ms": 60_000}))
			case h.Child("apart"):
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "cat " + outside + "/.ssh/id; " + line, "run_in_background": true}))
			case h.Answered("task"):
				return modeltest.Say("All done.")
			}
			return modeltest.Do(task("apart", false))
		}
	})
	require.NoError(t, os.Mkdir(filepath.Join(outside, ".ssh"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(outside, ".ssh/id"), []byte("CANARY"), 0o600))
	s.With("PAWL_PERMISSIONS_SANDBOXED=allow", "HOME="+outside)
	r, errs, code := s.Prompted(t, "-p", "work", "--trust")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "All done.", r.Output)
	told := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("apart") && h.Answered("shell_output") }).ResultsOf("shell_output")[0]
	require.Contains(t, told, `"status":"failed"`)
	require.NotContains(t, told, "CANARY")
	require.FileExists(t, filepath.Join(s.Dir, "tries"))
	require.Empty(t, came, "nobody was let out")
}
