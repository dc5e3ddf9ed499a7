package tools

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/outputs"
	"pawl/tools/process"
)

// backgrounded starts a command in the background and gives its shell_id.
func (d *delegation) backgrounded(command string, more ...string) string {
	d.t.Helper()
	reply, result := d.call("shell", fmt.Sprintf(`{"command":%q,"run_in_background":true%s}`, command, strings.Join(more, "")))
	require.False(d.t, result.IsError, result.Text)
	require.Equal(d.t, "running", reply["status"])
	require.Contains(d.t, reply["message"], "do not poll")
	return reply["shell_id"].(string)
}

// shell is a shell's run, as the store has it.
func (d *delegation) shell(id string) lifecycle.Run {
	runs, err := d.store.Runs(d.t.Context(), parent, 0, 0)
	require.NoError(d.t, err)
	for _, run := range runs {
		if string(run.Session) == id {
			return run
		}
	}
	require.Fail(d.t, "no such shell", id)
	return lifecycle.Run{}
}

// look reads a shell until it has written these words.
func (d *delegation) look(id, words string) map[string]any {
	d.t.Helper()
	var reply map[string]any
	require.Eventually(d.t, func() bool {
		reply, _ = d.call("shell_output", fmt.Sprintf(`{"shell_id":%q,"wait_ms":50}`, id))
		return strings.Contains(reply["output"].(string), words)
	}, patience, time.Millisecond)
	return reply
}

func TestShellOutputGivesWhatIsNewAndItsEndOnce(t *testing.T) {
	d := newDelegation(t)
	gate := filepath.Join(t.TempDir(), "gate")
	id := d.backgrounded("echo first; while [ ! -e " + gate + " ]; do sleep 0.01; done; echo second; exit 3")
	require.Equal(t, "running", d.look(id, "first")["status"])
	reply, result := d.call("shell_output", fmt.Sprintf(`{"shell_id":%q}`, id))
	require.Equal(t, "(nothing new since your last look)", reply["output"])
	require.Empty(t, result.Consumes)

	require.NoError(t, os.WriteFile(gate, nil, 0o600))
	reply, _ = d.call("shell_output", fmt.Sprintf(`{"shell_id":%q,"wait_ms":60000}`, id))
	require.Equal(t, []any{"failed", 3.0, "second\n"}, []any{reply["status"], reply["exit_code"], reply["output"]})
	run := d.shell(id)
	require.Equal(t, "first\nsecond", run.Result)
	require.Equal(t, lifecycle.FailProcess, run.Error.Kind)
	require.Equal(t, "exit code 3", run.Error.Message)
	require.Equal(t, lifecycle.ByShellOutput, run.Notification.WithdrawnBy)
	require.Equal(t, lifecycle.ByShellOutput, run.Consumed.By)
}

func TestShellKillEndsAllThatItStarted(t *testing.T) {
	d := newDelegation(t)
	line := filepath.Join(t.TempDir(), "line")
	require.NoError(t, syscall.Mkfifo(line, 0o600))
	id := d.backgrounded("setsid sleep 1000 >" + line + " & echo up; wait")
	held, err := os.Open(line) // until its other end is
	require.NoError(t, err)
	defer held.Close()
	d.look(id, "up")
	before := time.Now()
	reply, _ := d.call("shell_kill", fmt.Sprintf(`{"shell_id":%q}`, id))
	require.Less(t, time.Since(before), patience)
	_, err = held.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF, "nobody holds the other end")
	require.Equal(t, "canceled_by_agent", reply["status"])
	run := d.shell(id)
	require.Equal(t, lifecycle.ByShellKill, run.Consumed.By)
	require.Nil(t, run.Notification)
	require.NotNil(t, run.ExitCode)

	reply, _ = d.call("shell_kill", fmt.Sprintf(`{"shell_id":%q}`, id))
	require.Equal(t, "canceled_by_agent", reply["status"], "the state that stands")
}

func TestABackgroundShellHasATimeLimitOnlyWhereOneIsGiven(t *testing.T) {
	d := newDelegation(t)
	id := d.backgrounded("echo on; sleep 1000", `,"timeout_ms":200`)
	reply, _ := d.call("shell_output", fmt.Sprintf(`{"shell_id":%q,"wait_ms":60000}`, id))
	require.Equal(t, "failed", reply["status"])
	require.Contains(t, reply["message"], "its time limit of 200ms passed")
	require.Zero(t, d.shell(d.backgrounded("true")).Limit)
	_, result := d.call("shell", `{"command":"true","timeout_ms":600001}`)
	require.Contains(t, result.Text, "run_in_background")
}

func TestShellsAndSubagentsAreReachedByTheirOwnTools(t *testing.T) {
	d := newDelegation(t)
	id := d.backgrounded("sleep 1000", `,"description":"a nap"`)
	child, _ := d.call("agent", `{"description":"w","prompt":"work","run_in_background":true}`)
	<-d.ended
	for _, call := range []struct{ tool, input, names string }{
		{"agent_output", `{"agent_id":"` + id + `"}`, "shell_output"},
		{"agent_stop", `{"agent_id":"` + id + `"}`, "shell_kill"},
		{"agent_send", `{"agent_id":"` + id + `","message":"hello"}`, "takes no messages"},
		{"shell_output", `{"shell_id":"` + child["agent_id"].(string) + `"}`, "agent_output"},
		{"shell_kill", `{"shell_id":"` + child["agent_id"].(string) + `"}`, "agent_stop"},
		{"shell_kill", `{"task_id":"` + child["agent_id"].(string) + `"}`, "is not a task"},
		{"shell_kill", `{}`, "either a shell_id or a task_id"},
		{"shell_output", `{"shell_id":"nobody"}`, "no background shell"},
		{"agent", `{"description":"w","prompt":"on","resume":"` + id + `"}`, "cannot be continued"},
	} {
		_, result := d.call(call.tool, call.input)
		require.True(t, result.IsError, call.tool)
		require.Contains(t, result.Text, call.names, call.tool)
	}
	listing, _ := d.call("agent_list", `{}`)
	require.Len(t, listing["agents"], 1)
	require.Equal(t, []any{map[string]any{"shell_id": id, "command": "sleep 1000", "status": "running", "exit_code": nil}}, listing["shells"])
	require.Equal(t, 1.0, listing["slots"].(map[string]any)["running"], "a shell takes no slot")
	d.call("shell_kill", `{"shell_id":"`+id+`"}`)
}

func TestWhatCannotBeStartedFailsAtItsSetup(t *testing.T) {
	d := newDelegation(t)
	long := strings.Repeat("x", shellCommand)
	_, result := d.call("shell", fmt.Sprintf(`{"command":"true %s","run_in_background":true}`, long))
	require.Contains(t, result.Text, "write it to a file")
	out := shellOutcome(t.Context(), lifecycle.Run{}, process.Finished{ExitCode: -1}, os.ErrPermission)
	require.Equal(t, lifecycle.FailSetup, out.Err.(*lifecycle.Failure).Kind)
	require.Nil(t, out.ExitCode)
}

func TestWithoutAScopeNothingGoesToTheBackground(t *testing.T) {
	text := refused(t, Shell(plant(t, ""), &process.Launcher{}, nil), args{"command": "sleep 1000", "run_in_background": true})
	require.Contains(t, text, "without run_in_background")
}

func TestOfManyEndedShellsTheNewestAreKept(t *testing.T) {
	var shells Shells
	for i := range shellsKept + 5 {
		id := lifecycle.SessionID(fmt.Sprint(i))
		shells.begin(id, func() process.Output { return process.Output{} })
		shells.end(id, process.Output{Head: "x", Total: 1})
	}
	require.Len(t, shells.open, shellsKept)
	require.Empty(t, shells.news("0"))
	require.Equal(t, "x", shells.news("14"))
}

func TestWhatAShellWroteTooMuchIsKeptWhole(t *testing.T) {
	d := newDelegation(t)
	d.shells.Outputs = outputs.New(filepath.Join(t.TempDir(), "outputs"))
	defer d.shells.Outputs.Close()
	id := d.backgrounded("seq 100000")
	require.Eventually(t, func() bool { return d.shell(id).State.Terminal() }, patience, time.Millisecond)
	run := d.shell(id)
	require.True(t, strings.HasSuffix(run.Result, "99999\n100000"), run.Result[len(run.Result)-40:])
	_, after, _ := strings.Cut(run.Result, "all of it is in ")
	path, _, _ := strings.Cut(after, ", for read and grep")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(whole), "1\n2\n3\n"))
	require.True(t, strings.HasSuffix(string(whole), "\n99999\n100000\n"))
}

// ownPort is the port of a command of the user's own.
type ownPort struct{ command, folder string }

func (p ownPort) Run() lifecycle.Run {
	return lifecycle.Run{Session: "own", Spec: lifecycle.Spec{Kind: lifecycle.KindShell, From: lifecycle.FromUser, Command: p.command, Folder: p.folder}}
}

func (ownPort) Report(lifecycle.Progress) {}

func TestAnOwnCommandIsBoundedAsAResultIsAndKeptWhole(t *testing.T) {
	folder := t.TempDir()
	shells := &Shells{Outputs: outputs.New(filepath.Join(t.TempDir(), "kept"))}
	defer shells.Outputs.Close()
	out := shells.Work(t.Context(), ownPort{"pwd; echo START; head -c 100000000 /dev/zero | tr '\\0' 'x'; echo END; read line || exit 3", folder}, &process.Launcher{})
	require.Less(t, len(out.Text), 30_200)
	require.True(t, strings.HasPrefix(out.Text, folder+"\nSTART\nxxx"), "its folder, and the start of its output")
	require.True(t, strings.HasSuffix(out.Text, "xxxEND\n"), "and the end")
	require.Contains(t, out.Text, "bytes of output are left out here")
	require.Equal(t, 3, *out.ExitCode, "it reads nothing")
	require.Empty(t, shells.open, "no model looks for more of it")
}
