package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/remote"
	"pawl/internal/modeltest"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/process"
)

// wilderness is a session whose subagents work in processes that are no Pawl: each is
// a script for the shell.
type wilderness struct {
	*lifecycle.Supervisor
	root lifecycle.SessionID
	told chan lifecycle.Scope // of the root, which works until the end
	dir  string
}

func newWilderness(t *testing.T) *wilderness {
	t.Helper()
	w := &wilderness{root: lifecycle.NewSessionID(), told: make(chan lifecycle.Scope), dir: t.TempDir()}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	limits := lifecycle.DefaultLimits()
	limits.Background = 20 // all at once
	w.Supervisor = lifecycle.New(lifecycle.Options{Journal: db, Limits: limits, Work: func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
		run := port.Run()
		if !run.Subagent() {
			w.told <- *port.Scope()
			<-ctx.Done()
			return lifecycle.Outcome{Err: context.Cause(ctx)}
		}
		launcher := &process.Launcher{Owner: run.ID}
		return remote.Host{Entries: db.Entries, Start: func(ctx context.Context, in, out *os.File) (remote.Exit, error) {
			command := launcher.ShellCommand(run.Prompt, run.Folder)
			command.Folder, command.Stdin, command.Stdout = w.dir, in, out
			done, err := launcher.Run(ctx, command)
			if err != nil && strings.Contains(err.Error(), "goes on trying to end it") {
				err = nil // so long a busy machine takes to end it
			}
			said, _ := done.Output.Text(20_000)
			return remote.Exit{Code: done.ExitCode, Said: said}, err
		}}.Work(ctx, port)
	}})
	_, err = w.Open(t.Context(), w.root, lifecycle.Spec{Folder: w.dir})
	require.NoError(t, err)
	_, err = w.Do(t.Context(), lifecycle.Send{Session: w.root, Text: "go"})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, w.Close(context.Background(), lifecycle.CauseQuit))
		require.NoError(t, db.Close())
	})
	return w
}

// loose starts such a process in the background.
func (w *wilderness) loose(t *testing.T, scope *lifecycle.Scope, script string) lifecycle.Run {
	t.Helper()
	run, err := scope.Start(lifecycle.Spec{
		Call: lifecycle.NewCallID(), Description: "wild", Prompt: script, Background: true, Isolation: lifecycle.IsolationProcess,
	}, "")
	require.NoError(t, err)
	return run
}

var wildHello = fmt.Sprintf(`echo '{"act":"hello","protocol":%d}'; `, remote.Protocol)

// Whatever its process does, a run ends once, says how in one line, and is over in time.
func TestWhateverAProcessDoesItsRunEndsAndSaysHow(t *testing.T) {
	t.Parallel()
	w := newWilderness(t)
	scope := <-w.told
	all := []struct {
		name, script, says string
		kind               lifecycle.FailureKind
		code               int // negative: it is killed, and maybe nobody sees its end
	}{
		{"exits with 3", `echo no hands >&2; exit 3`, "with exit code 3: no hands", lifecycle.FailProcess, 3},
		{"exits with 0", wildHello, "with exit code 0", lifecycle.FailProcess, 0},
		{"breaks its memory", `ulimit -c 0; kill -SEGV $$`, "killed by SIGSEGV (exit code 139)", lifecycle.FailProcess, 139},
		{"aborts", wildHello + `ulimit -c 0; kill -ABRT $$`, "killed by SIGABRT (exit code 134)", lifecycle.FailProcess, 134},
		{"takes all memory", `ulimit -v 100000; tail /dev/zero`, "with exit code 1: tail: ", lifecycle.FailProcess, 1},
		{"talks nonsense", `echo hello; exec sleep 3600`, "sent an invalid message", lifecycle.FailProcess, -1},
		{"talks nonsense without end", `yes`, "sent an invalid message", lifecycle.FailProcess, -1},
		{"never ends its line", wildHello + `head -c 1000000000 /dev/zero | tr '\0' x; sleep 3600`, "a message of more than 64 MB", lifecycle.FailProcess, -1},
		{"stops in the middle of a line", wildHello + `printf '{"act":"rec'`, "with exit code 0", lifecycle.FailProcess, 0},
		{"complains without end", wildHello + `yes woe | head -c 100000000 >&2; exit 4`, "with exit code 4: woe · woe · woe", lifecycle.FailProcess, 4},
		{"is newer", `echo '{"act":"hello","protocol":7}'; sleep 3600`, fmt.Sprintf("speaks protocol 7, this one %d", remote.Protocol), lifecycle.FailSetup, -1},
		{"is older", `echo '{"act":"step","id":1}'; sleep 3600`, "names no protocol", lifecycle.FailSetup, -1},
		{"records what is not its own", wildHello + `echo '{"act":"record","id":1,"events":[{"event":"ended","data":{}}]}'; read a; read b; exit 5`, "with exit code 5", lifecycle.FailProcess, 5},
	}
	var runs []lifecycle.Run
	for _, one := range all {
		runs = append(runs, w.loose(t, &scope, one.script))
	}
	for i, one := range all {
		run, err := scope.Await(t.Context(), runs[i].ID, modeltest.Patience)
		require.NoError(t, err)
		require.Equal(t, lifecycle.StateFailed, run.State, one.name)
		require.Equal(t, one.kind, run.Error.Kind, one.name)
		require.Contains(t, run.Error.Message, one.says, one.name)
		require.NotContains(t, run.Error.Message, "\n", one.name)
		if one.code >= 0 {
			require.NotNil(t, run.ExitCode, one.name)
			require.Equal(t, one.code, *run.ExitCode, one.name)
		}
	}
}

func TestStopEndsWhateverAProcessDoes(t *testing.T) {
	t.Parallel()
	w := newWilderness(t)
	scope := <-w.told
	runs := map[string]lifecycle.Run{}
	for name, script := range map[string]string{
		"ignores every word":  `trap '' TERM INT HUP; while :; do sleep 1; done`,
		"halts itself":        `kill -STOP $$`,
		"asks and reads none": `while :; do echo '{"act":"mode","id":1}'; done`,
		"closes its pipe":     `trap '' TERM; exec >&- <&-; while :; do sleep 1; done`,
		"leaves a daemon":     `setsid sh -c 'trap "" TERM; while :; do sleep 1; done' & wait`,
		"answers nonetheless": `trap 'echo "{\"act\":\"hello\"}"; exit 0' TERM; while :; do sleep 0.1; done`,
	} {
		run := w.loose(t, &scope, wildHello+`echo '{"act":"report","progress":{"text":"begun"}}'; `+script)
		w.begun(t, run)
		runs[name] = run
	}
	var stops sync.WaitGroup
	for _, run := range runs {
		stops.Go(func() { _, _ = scope.Stop(run.Session, "enough") }) // what came of it is looked at below
	}
	stops.Wait()
	for name, run := range runs {
		run, err := scope.Await(t.Context(), run.ID, modeltest.Patience)
		require.NoError(t, err)
		require.Equal(t, lifecycle.StateCanceledByAgent, run.State, name) // within patience: a busy machine needs more than 2 s for six at once
	}
}

var errBegun = errors.New("it has begun")

// begun waits until a process has said its first words.
func (w *wilderness) begun(t *testing.T, run lifecycle.Run) {
	t.Helper()
	bounded, end := context.WithTimeout(t.Context(), modeltest.Patience)
	defer end()
	ctx, cancel := context.WithCancelCause(bounded)
	defer cancel(nil)
	_ = w.Watch(ctx, w.root, 0, func(u lifecycle.Updates) {
		for _, p := range u.Progress {
			if p.Run == run.ID && p.Text != "" {
				cancel(errBegun)
			}
		}
	})
	require.ErrorIs(t, context.Cause(ctx), errBegun)
}
