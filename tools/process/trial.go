package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"pawl/internal/launch"
)

// tried is what was found out about the modes, once a process: what a kernel
// allows does not change while Pawl runs.
var tried = struct {
	sync.Mutex
	answers map[trial]error
}{answers: map[trial]error{}}

// trial is what can be tried.
type trial struct {
	mode    launch.Mode
	mounts  bool // those of a confinement
	hides   bool // and those that hide
	network bool // one of its own
}

// possible tries a mode with a helper that starts nothing. Where namespaces are wanted, mounts are
// too, and one helper shows both.
func possible(ctx context.Context, mode launch.Mode) error {
	if mode == launch.Namespace && (trial{mode: mode, mounts: true}).answer(ctx) == nil {
		return nil
	}
	return trial{mode: mode}.answer(ctx)
}

func (t trial) answer(ctx context.Context) error {
	tried.Lock()
	defer tried.Unlock()
	err, known := tried.answers[t]
	if !known {
		err = t.try(ctx)
		tried.answers[t] = err
	}
	return err
}

func (t trial) try(ctx context.Context) error {
	// Whoever asks first may be stopped; the answer is for all.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var p pipes
	theirs, err := p.open()
	if err != nil {
		return err
	}
	defer p.close()
	cmd := exec.CommandContext(ctx, launch.Name)
	cmd.Err, cmd.Dir, cmd.Env = nil, "/", []string{}
	how := helperSetup{mode: t.mode}
	switch {
	case t.mounts:
		how.confinement = &launch.Confinement{Freeze: []string{"/proc"}, Terminals: true}
		if t.hides {
			how.confinement.Hide = []string{"/tmp"}
		}
	case t.network:
		how.confinement = &launch.Confinement{Loopback: true}
	}
	how.intoHelper(cmd, launch.Arguments(t.mode, how.confinement, ""))
	cmd.ExtraFiles = theirs[1:]
	err = cmd.Start()
	closeFiles(theirs[:])
	if err != nil {
		step := "start"
		if t.mode == launch.Namespace || t.network {
			step = "namespace"
		}
		return inWords(step, errnoOf(err), cause(err))
	}
	p.tell(how.confinement)
	err = cmd.Wait()
	report := p.readReport()
	switch {
	case report.Ready:
		return nil
	case report.Step != "":
		return inWords(report.Step, report.Errno, report.Errno)
	default:
		return fmt.Errorf("the helper gave no answer (%w)", errors.Join(err, ctx.Err()))
	}
}

// inWords says what was not possible, at which step, and what that mostly means.
func inWords(step string, number syscall.Errno, err error) error {
	about := map[string]string{
		"namespace": "no namespace could be made", "mounts": "the mounts could not be made private",
		"proc": "no /proc of its own could be mounted", "subreaper": "the kernel has no subreaper",
		launch.StepFreeze: "no read-only mount could be made", launch.StepHide: "nothing could be hidden by a mount", launch.StepTerminals: "no terminals of its own could be mounted",
		launch.StepLoopback: "no network of its own could be made",
	}[step]
	if about == "" {
		about = "the helper failed at " + step
	}
	hint := ""
	switch number {
	case syscall.EPERM, syscall.EACCES:
		hint = "; a container or a rule of this system forbids it"
	case syscall.EINVAL, syscall.ENOSYS:
		hint = "; the kernel was built without it"
	case syscall.ENOSPC, syscall.EUSERS:
		hint = "; the system's limit of namespaces is used up or 0"
	default: // the error says it
	}
	return fmt.Errorf("%s: %w%s", about, err, hint)
}

func errnoOf(err error) syscall.Errno {
	var number syscall.Errno
	_ = errors.As(err, &number)
	return number
}

// cause is the innermost of an error about a path: its name says nothing here.
func cause(err error) error {
	if about, is := errors.AsType[*os.PathError](err); is {
		return about.Err
	}
	return err
}
