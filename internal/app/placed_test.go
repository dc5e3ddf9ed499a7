package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/remote"
	"pawl/internal/base"
	"pawl/internal/checkout"
	"pawl/internal/gittest"
	"pawl/internal/modeltest"
	"pawl/internal/remoterun"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/mcp"
)

// placedVariable makes this test's program the process of a run that another machine asked for.
const placedVariable = "PAWL_TEST_PLACED"

func runPlaced() {
	if os.Getenv(placedVariable) == "" {
		return
	}
	_ = os.Unsetenv(placedVariable) // what it starts is none
	code, err := RunWorker(base.Standard(), true)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// elsewhere is a session whose run works in a process that has nothing of it: another home folder,
// another checkout, another environment.
type elsewhere struct {
	*Session
	t      *testing.T
	rules  rules
	at     remoterun.Place
	home   string // of the other machine
	passed bytes.Buffer
	mu     sync.Mutex
}

func workElsewhere(t *testing.T, config, configThere string, environ func(key []string) []string, script func(modeltest.Request) modeltest.Reply) *elsewhere {
	t.Helper()
	server := modeltest.Listen(t, script)
	e := &elsewhere{t: t, home: t.TempDir()}
	home := t.TempDir()
	t.Setenv("PAWL_HOME", home)
	for folder, text := range map[string]string{home: config, e.home: configThere} {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "config"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "config", "config.toml"), []byte(text), 0o600))
	}
	top := gittest.Checkout(t)
	tree := filepath.Join(t.TempDir(), "tree")
	gittest.Run(t, top, "worktree", "add", "-q", "-b", "pawl/one", tree)
	e.at = remoterun.Place{
		Place: checkout.Place{Folder: tree, Top: tree, Branch: "pawl/one", Common: filepath.Join(top, ".git")},
		Files: t.TempDir(), Outputs: t.TempDir(), End: filepath.Join(t.TempDir(), "end.json"),
		Environ: append(environ(server.Environ()), "PATH="+os.Getenv("PATH"), "HOME="+e.home, "PAWL_HOME="+e.home),
	}
	b, err := base.Open(t.Context(), base.World{Logged: true, Environ: server.Environ(), Folder: gittest.Checkout(t)}, store.Options{})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	e.Session = &Session{Base: b, Servers: base.NewServers(mcp.Options{})}
	e.rules = rules{
		Type: agent.Type{Name: agent.TypeGeneral}, Mode: permission.Bypass, Hooks: e.Settings.Programs, Folder: e.World.Folder, hooksIn: e.World.Folder,
		today: e.today,
	}
	e.rules.now = func() permission.Mode { return e.rules.Mode }
	return e
}

// start is remote.Host.Start: the process reads where it works, then what its host says.
func (e *elsewhere) start(ctx context.Context, in, out *os.File) (remote.Exit, error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Dir, cmd.Env = e.at.Files, []string{placedVariable + "=1", "HOME=" + e.home, "PAWL_HOME=" + e.home, "PATH=" + os.Getenv("PATH")}
	var said bytes.Buffer
	cmd.Stderr, cmd.Stdout = &said, io.MultiWriter(out, e)
	stdin, err := cmd.StdinPipe()
	require.NoError(e.t, err)
	require.NoError(e.t, cmd.Start())
	line, err := json.Marshal(e.at)
	require.NoError(e.t, err)
	go func() {
		_, _ = fmt.Fprintf(stdin, "%s\n", line)
		_, _ = io.Copy(stdin, io.TeeReader(in, e))
		stdin.Close()
	}()
	_ = cmd.Wait()
	return remote.Exit{Code: cmd.ProcessState.ExitCode(), Said: said.String()}, nil
}

// Write keeps what passes the pipe, in both directions.
func (e *elsewhere) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.passed.Write(p)
}

// delegate is the work of the session's parent: a subagent elsewhere, which it waits for.
func (e *elsewhere) delegate(ctx context.Context, port *lifecycle.Port, prompt string) lifecycle.Outcome {
	call := lifecycle.NewCallID()
	err := port.Record(nil, lifecycle.ToolStarted{Call: call, Tool: "agent"})
	require.NoError(e.t, err)
	run, err := port.Scope().Start(lifecycle.Spec{
		Call: call, Type: agent.TypeGeneral, Description: "there", Prompt: prompt,
		Isolation: lifecycle.IsolationRemote, Folder: filepath.Join(e.home, "planned"), Branch: e.at.Branch,
	}, "")
	require.NoError(e.t, err)
	run, err = port.Scope().Wait(ctx, run.ID)
	require.NoError(e.t, err)
	entry := lifecycle.Entry{Session: port.Run().Session, Run: port.Run().ID, Kind: lifecycle.EntryToolResult, Call: call, Body: json.RawMessage(`{}`)}
	end := lifecycle.ToolEnded{Call: call, Tool: "agent", Status: lifecycle.ToolOK}
	require.NoError(e.t, port.Answered(entry, end, nil, []lifecycle.Told{{Run: run.ID, By: lifecycle.ByToolResult}}))
	return lifecycle.Outcome{Text: "It has ended."}
}

// run has a subagent work elsewhere, and returns its run, and those of the commands that it started,
// when they have ended.
func (e *elsewhere) run(prompt string) ([]lifecycle.Run, []lifecycle.Record) {
	work := func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
		run := port.Run()
		switch there := e.away.of(run.Parent); {
		case run.Shell():
			return there.Work(ctx, port)
		case !run.Remote():
			return e.delegate(ctx, port, prompt)
		}
		require.NoError(e.t, port.Place(lifecycle.Placed{Worker: "w", Machine: "build-3", Version: "1", Attempt: 1}))
		host := e.remoteHost(ctx, run, e.rules)
		host.Start = e.start
		return host.Work(ctx, port)
	}
	s := lifecycle.New(lifecycle.Options{Journal: e.Store, Work: work, Limits: lifecycle.DefaultLimits()})
	root := lifecycle.NewSessionID()
	spec := lifecycle.Spec{Type: agent.TypeGeneral, Model: "anthropic/claude-sonnet-5-5", Folder: e.World.Folder}
	_, err := s.Open(e.t.Context(), root, spec)
	require.NoError(e.t, err)
	_, err = s.Do(e.t.Context(), lifecycle.Send{Session: root, Text: "have it done"})
	require.NoError(e.t, err)
	ctx, done := context.WithCancel(e.t.Context())
	defer done()
	var snapshot lifecycle.Snapshot
	require.ErrorIs(e.t, s.Watch(ctx, root, 0, func(lifecycle.Updates) {
		snapshot, err = s.Snapshot(root)
		require.NoError(e.t, err)
		if !slices.ContainsFunc(snapshot.Runs, func(run lifecycle.Run) bool { return !run.State.Terminal() }) {
			done()
		}
	}), context.Canceled)
	require.NoError(e.t, s.Close(context.Background(), lifecycle.CauseQuit))
	records, err := e.Store.Records(e.t.Context(), root, 0, 10_000)
	require.NoError(e.t, err)
	return snapshot.Runs[1:], records
}

// builder writes a file, starts a command in the background, looks at it and reports.
func builder(t *testing.T) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		news := h.News()
		last := news[len(news)-1]
		if last.Role != "tool" {
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "made.txt", "content": "made\n"}),
				modeltest.Use("shell", modeltest.Object{"command": "echo built > built.txt; echo it is built; sleep 1000", "run_in_background": true}))
		}
		for _, result := range last.Results {
			var shell struct {
				ID     lifecycle.SessionID `json:"shell_id"`
				Output string              `json:"output"`
			}
			if json.Unmarshal([]byte(result.Text), &shell) != nil || shell.ID == "" {
				continue
			}
			if strings.Contains(shell.Output, "it is built") {
				return modeltest.Say("It is made and built.")
			}
			return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": shell.ID, "wait_ms": 100}))
		}
		t.Errorf("the model got %v", last.Results)
		return modeltest.Say("no shell")
	}
}

func TestARunElsewhereHasItsFilesThereAndEverythingElseHere(t *testing.T) {
	heard := filepath.Join(t.TempDir(), "heard")
	config := fmt.Sprintf("[[hooks]]\nevent = \"PreToolUse\"\nmatch = \"write\"\ncommand = [\"sh\", \"-c\", \"cat >> %s\"]\n", heard)
	e := workElsewhere(t, config, "", func(keys []string) []string { return keys }, builder(t))
	runs, records := e.run("build it")

	run := runs[0]
	require.Equal(t, lifecycle.StateCompleted, run.State, "%+v", run.Error)
	require.Equal(t, "It is made and built.", run.Result)
	require.Positive(t, run.Request)
	made, err := os.ReadFile(filepath.Join(e.at.Folder, "made.txt"))
	require.NoError(t, err)
	require.Equal(t, "made\n", string(made))
	require.NoDirExists(t, run.Folder, "nothing is made at home before the end")

	folders := map[string]bool{}
	for _, rec := range records {
		if changed, ok := rec.Event.(lifecycle.FilesChanged); ok {
			folders[changed.Folder] = true
		}
	}
	require.Equal(t, map[string]bool{run.Folder: true}, folders, "the log names the folder of home")
	require.Len(t, runs, 2)
	shell := runs[1]
	require.True(t, shell.Shell())
	require.Equal(t, lifecycle.CauseRunEnd, shell.Cause, "%+v", shell)
	require.Contains(t, shell.Result, "it is built")
	require.FileExists(t, filepath.Join(e.at.Folder, "built.txt"))
	require.Equal(t, 1, shell.Changed)

	said, err := os.ReadFile(heard)
	require.NoError(t, err, "the hook runs at home")
	var input struct {
		Folder  string `json:"cwd"`
		Machine string `json:"machine"`
	}
	require.NoError(t, json.Unmarshal(said, &input))
	require.Equal(t, e.World.Folder, input.Folder)
	require.Equal(t, "build-3", input.Machine)
	require.NotContains(t, e.passed.String(), modeltest.Key, "a machine's own keys stay there")
}

func TestAKeyWhoseAddressStaysAtHomeIsNotLent(t *testing.T) {
	config := "[remote]\nnats = \"tls://server.example:4222\"\nkeys = \"lend\"\n[providers.anthropic]\nbase_url = \"https://gateway.example?team=1\"\n"
	own := func(environ []string) []string { return environ }
	e := workElsewhere(t, config, "", own, func(modeltest.Request) modeltest.Reply { return modeltest.Say("never asked") })
	runs, _ := e.run("do it")
	require.Equal(t, lifecycle.StateFailed, runs[0].State)
	require.Equal(t, `on build-3: the address of anthropic has a query or a user, which may hold a key, and stays at home: say keys = "worker" in [remote], and set it up there`, runs[0].Error.Message)
	require.NotContains(t, e.passed.String(), modeltest.Key)
	_, err := e.lendKey(t.Context(), "anthropic", "")
	require.ErrorContains(t, err, "stays at home")
}

func TestLentKeysServeTheRun(t *testing.T) {
	config := "[remote]\nnats = \"tls://server.example:4222\"\nkeys = \"lend\"\n"
	var prompts []string
	e := workElsewhere(t, config, "", func(environ []string) []string {
		for i, entry := range environ {
			if name, _, _ := strings.Cut(entry, "="); strings.HasSuffix(name, "_API_KEY") {
				environ[i] = name + "=sk-of-the-worker-0123456789" // the server refuses it
			}
		}
		return environ
	}, func(h modeltest.Request) modeltest.Reply {
		prompts = append(prompts, h.System)
		return modeltest.Say("Done.")
	})
	runs, _ := e.run("do it")
	run := runs[0]
	require.Equal(t, lifecycle.StateCompleted, run.State, "%+v", run.Error)
	require.Len(t, prompts, 1)
	require.Contains(t, prompts[0], e.at.Folder)
	require.Contains(t, prompts[0], "a git worktree of your own on the machine build-3")
	require.NotContains(t, e.passed.String(), "sk-of-the-worker")
}

func TestAMachineWithoutTheKeyOfAModelSaysSoInALine(t *testing.T) {
	e := workElsewhere(t, "", "", func([]string) []string { return nil }, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	runs, _ := e.run("do it")
	run := runs[0]
	require.Equal(t, lifecycle.StateFailed, run.State)
	require.Regexp(t, `^on build-3: ANTHROPIC_API_KEY is not set, and anthropic/claude-sonnet-5-5 needs it`, run.Error.Message)
}

func TestAMachineWithWrongSettingsSaysSoInALine(t *testing.T) {
	e := workElsewhere(t, "", "nonsense = 1\n", func(keys []string) []string { return keys }, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	runs, _ := e.run("do it")
	run := runs[0]
	require.Equal(t, lifecycle.StateFailed, run.State)
	require.Regexp(t, `^on build-3: .*nonsense`, run.Error.Message)
	require.NotContains(t, run.Error.Message, "\n")
}

func TestRulesOfASessionHoldForThePathsOfTheOtherMachine(t *testing.T) {
	var r permission.Rules
	require.NoError(t, json.Unmarshal([]byte(`{"deny":["shell(cat /home/me/calc/secret *)"],"ask":["shell(rm /home/me/calc/a)"],"allow":["shell(ls /home/me/calc/src)","edit(src/**)"]}`), &r))
	p := &placedRun{remoteConfig: remoteConfig{Top: "/home/me/calc"}, at: remoterun.Place{Place: checkout.Place{Top: "/srv/run/tree"}}}
	local, err := p.localRules(r)
	require.NoError(t, err)
	text, err := json.Marshal(local)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"deny": ["shell(cat /home/me/calc/secret *)", "shell(cat /srv/run/tree/secret *)"],
		"ask": ["shell(rm /home/me/calc/a)", "shell(rm /srv/run/tree/a)"],
		"allow": ["shell(ls /srv/run/tree/src)", "edit(src/**)"]}`, string(text))
	require.Equal(t, "/srv/run/tree/x", p.here("/home/me/calc/x"))
	require.Equal(t, "/home/me/calcium", p.here("/home/me/calcium"))
	moved, other := p.moved("cat /home/me/calcium/x")
	require.False(t, other, moved)
}
