package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/internal/system"
	"pawl/tools/process"
)

// Bounds of a hook's standard error, in characters, and of the wait for the rest of its
// answer once it has ended.
const (
	saidOfHook = 4_000
	restOfHook = 200 * time.Millisecond
)

// Hooks asks the user's hooks for one run. The launcher owns their processes in that
// run's name, so they end with it; they are the user's own programs and run outside of
// any sandbox.
type Hooks struct {
	Launcher *process.Launcher
	Specs    []hook.Spec
	Mode     func() string // the permission mode that holds; nil: it is not told
}

// Ask asks all hooks that an occasion concerns, side by side, and gives what they say
// together, in the order of the specs. When ctx ends it returns within 2 s, and what it
// gives then means nothing.
func (h Hooks) Ask(ctx context.Context, o agent.HookInput) agent.HookResult {
	var wanted []hook.Spec
	for _, spec := range h.Specs {
		if spec.Wants(o) {
			wanted = append(wanted, spec)
		}
	}
	if len(wanted) == 0 {
		return agent.HookResult{}
	}
	if o.Report != nil {
		o.Report("waiting for the hook " + wanted[0].Name())
		defer o.Report("")
	}
	mode := ""
	if h.Mode != nil {
		mode = h.Mode()
	}
	input, err := hook.Input(o, mode)
	rulings := make([]agent.HookResult, len(wanted))
	var all sync.WaitGroup
	for i, spec := range wanted {
		all.Go(func() {
			ran := hook.Exit{Err: err}
			if err == nil {
				ran = h.run(ctx, spec, o.Run.Folder, input)
			}
			ruling, failed := hook.Judge(spec.Event, ran)
			if failed != nil {
				ruling = hook.Failed(spec, failed)
			}
			rulings[i] = spec.Restrict(ruling)
		})
	}
	all.Wait()
	return hook.Merge(rulings)
}

func (h Hooks) run(ctx context.Context, spec hook.Spec, folder string, input []byte) hook.Exit {
	if err := unchanged(spec, folder); err != nil {
		return hook.Exit{Err: err}
	}
	home, _ := os.UserHomeDir() // where there is none, Program says so if it needs one
	name, args, err := spec.Program(home)
	if err != nil {
		return hook.Exit{Err: err}
	}
	if len(spec.Command) == 0 { // the shell is Pawl's choice, all else the user's
		name = cmp.Or(h.Launcher.Program(name, folder), name)
	}
	talk, err := openTalk(input)
	if err != nil {
		return hook.Exit{Err: fmt.Errorf("it could not be started: %w", err)}
	}
	done, err := h.Launcher.Run(ctx, process.Command{
		Name: name, Args: args, Folder: folder, Limit: spec.Limit, Stdin: talk.theirIn, Stdout: talk.theirOut,
	})
	ran := hook.Exit{Code: done.ExitCode, Err: err}
	ran.Stdout, ran.Long = talk.end()
	ran.Stderr, _ = done.Output.Text(saidOfHook)
	switch done.Stopped {
	case process.StopTimeLimit:
		ran.TimedOut, ran.Err = spec.Limit, nil
	case process.StopCanceled:
		ran.Err = errors.New("it was stopped")
	case process.NotStopped:
	}
	return ran
}

// unchanged refuses a hook of which a script is not what the user has seen.
func unchanged(spec hook.Spec, folder string) error {
	for name, sum := range spec.Sums {
		now, err := hook.Digest(spec.ScriptPath(name, folder))
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s cannot be compared with what you trusted: %w", name, err)
		case now != sum:
			return fmt.Errorf("%s has changed since you trusted it: start Pawl again to review it", name)
		}
	}
	return nil
}

// talk is what goes into a hook and what comes out of it.
type talk struct {
	theirIn, theirOut *os.File
	ourIn, ourOut     *os.File
	both              sync.WaitGroup
	answer            []byte
	long              bool
}

// openTalk begins to write the input and to read the answer. End it.
func openTalk(input []byte) (*talk, error) {
	t := &talk{}
	var err error
	if t.theirIn, t.ourIn, err = os.Pipe(); err != nil {
		return nil, err
	}
	if t.ourOut, t.theirOut, err = os.Pipe(); err != nil {
		t.theirIn.Close()
		t.ourIn.Close()
		return nil, err
	}
	t.both.Go(func() {
		defer t.ourIn.Close()       // a pipe; nothing is lost
		_, _ = t.ourIn.Write(input) // a program need not read it
	})
	t.both.Go(func() { _, _ = io.Copy(t, system.ReadPipe(t.ourOut)) })
	return t, nil
}

// Write keeps what an answer may hold, and takes the rest so that nobody is held up.
func (t *talk) Write(text []byte) (int, error) {
	kept := min(len(text), hook.MaxOutput-len(t.answer))
	t.answer = append(t.answer, text[:kept]...)
	t.long = t.long || kept < len(text)
	return len(text), nil
}

// end waits for the rest of what a program said that has ended; what still holds the
// pipe is not waited for.
func (t *talk) end() (answer string, long bool) {
	t.theirIn.Close()
	t.theirOut.Close()
	soon := time.Now().Add(restOfHook)
	_, _ = t.ourIn.SetWriteDeadline(soon), t.ourOut.SetReadDeadline(soon) // pipes take deadlines
	t.both.Wait()
	t.ourOut.Close()
	return string(t.answer), t.long
}
