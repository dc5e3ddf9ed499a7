package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"pawl/internal/launch"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/tools/process/sandbox"
)

// How long an end may take, from the stop on. Process 1 of a namespace has
// namespaceLimit for asking politely and for killing; then it is killed itself,
// and all of it with it. Another helper has helperLimit, because without it
// nobody finds what it keeps. What was kept by one that is dead has killGrace to
// vanish, the rest of the output drainGrace to come, and whoever asked waits no
// longer than stopLimit.
const (
	namespaceLimit = 1200 * time.Millisecond
	helperLimit    = 15 * time.Second
	killGrace      = 400 * time.Millisecond
	drainGrace     = 200 * time.Millisecond
	stopLimit      = 1900 * time.Millisecond
)

// reportEvery is how often the latest line of output is looked at.
const reportEvery = 100 * time.Millisecond

// process is one program and its helper, from the start until nothing is left.
// What live learns is read when it has returned.
type process struct {
	helperSetup
	cmd    *exec.Cmd
	path   string // of the program
	mark   string
	began  time.Time
	output *capture

	pid   atomic.Int64
	asked atomic.Bool   // to stop
	told  chan struct{} // closed once the helper has its confinement
	pipes pipes

	report launch.Report
	left   int // where the helper did not say
	alive  int
}

func newProcess(ctx context.Context, c Command, how helperSetup, environ []string, owner string) *process {
	mode := how.mode
	p := &process{helperSetup: how, mark: uuid.NewString(), began: time.Now(), output: newCapture(), told: make(chan struct{})}
	p.output.outputs = c.Outputs
	p.cmd = exec.CommandContext(ctx, c.Name, c.Args...)
	p.path = p.cmd.Path
	p.cmd.Dir = c.Folder
	p.cmd.Env = append(cleanEnviron(environ, owner, p.mark), "PWD="+c.Folder)
	p.cmd.Env = append(p.cmd.Env, c.Environ...)
	path, argv := p.path, p.cmd.Args
	if how.profile != "" {
		argv = sandbox.SeatbeltArguments(how.profile, path, argv...)
		path = sandbox.SeatbeltProgram
	}
	how.intoHelper(p.cmd, launch.Arguments(mode, how.confinement, path, argv...))
	if c.Stdin != nil { // a nil *os.File is no nil io.Reader
		p.cmd.Stdin = c.Stdin
	}
	if c.Stdout != nil {
		p.cmd.Stdout = c.Stdout
	}
	p.cmd.Cancel = p.askToStop
	p.cmd.WaitDelay = helperLimit
	if mode == launch.Namespace {
		p.cmd.WaitDelay = namespaceLimit
	}
	return p
}

// live starts the helper, waits for it and clears up behind it, on one thread:
// it dies with its parent, by which the kernel means the thread.
func (p *process) live() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.start(); err != nil {
		return err
	}
	defer p.pipes.close()
	p.pipes.tell(p.confinement)
	close(p.told)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(p.output, system.ReadPipe(p.pipes.output)) // until nobody holds it, or drainGrace is over
		p.pipes.ask(launch.AskHasten)
	}()
	_ = p.cmd.Wait() // how the program ended is in the report
	p.report = p.pipes.readReport()
	if !p.report.Done && p.report.Step == "" {
		p.clear()
	}
	p.pipes.limitOutput(drainGrace)
	<-drained
	p.output.close()
	if err := sandbox.Refusal(p.report); err != nil {
		return err
	}
	if p.report.Step != "" {
		return &os.PathError{Op: "fork/exec", Path: p.path, Err: p.report.Errno}
	}
	return nil
}

func (p *process) start() error {
	theirs, err := p.pipes.open()
	if err != nil {
		return err
	}
	defer closeFiles(theirs[:])
	p.cmd.Stderr, p.cmd.ExtraFiles = theirs[0], theirs[1:]
	if p.cmd.Stdout == nil {
		p.cmd.Stdout = theirs[0]
	}
	if err := p.cmd.Start(); err != nil {
		p.pipes.close()
		return p.startError(err)
	}
	p.pid.Store(int64(p.cmd.Process.Pid))
	return nil
}

// startError names the program where the system names the helper.
func (p *process) startError(err error) error {
	var about *os.PathError
	if !errors.As(err, &about) || about.Path != p.cmd.Path {
		return err
	}
	if _, missing := os.Stat(p.cmd.Dir); p.cmd.Dir != "" && missing != nil {
		return missing
	}
	return &os.PathError{Op: about.Op, Path: p.path, Err: about.Err}
}

// askToStop is for the helper: it tells everything of the call, and kills what
// does not listen. One that the command has halted is woken.
func (p *process) askToStop() error {
	p.asked.Store(true)
	<-p.told // or it would be read as a part of the confinement
	_ = p.cmd.Process.Signal(wakeUp)
	if !p.pipes.ask(launch.AskStop) {
		return os.ErrProcessDone
	}
	return nil
}

// clear ends what a helper has left that was killed: where it was process 1 of a
// namespace the kernel has done it, elsewhere the program's session and the mark
// tell.
func (p *process) clear() {
	left := launch.Survivors(p.report.Command, p.mark)
	p.left = len(left)
	// What forks while it is being killed is found by the next look.
	for until := time.Now().Add(killGrace); len(left) > 0 && time.Now().Before(until); {
		for _, stray := range left {
			stray.Signal(syscall.SIGKILL)
		}
		time.Sleep(5 * time.Millisecond)
		left = launch.Survivors(p.report.Command, p.mark)
	}
	p.alive = len(left)
}

// attend waits for the end, reports on the way, and gives up on what does not
// end.
func (p *process) attend(ctx context.Context, ended <-chan error, latest func(string)) (Finished, error) {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	var told string
	var tooLong <-chan time.Time
	stop := ctx.Done()
	for {
		select {
		case err := <-ended:
			return p.finished(ctx, err)
		case <-tick.C:
			if line := p.output.lastLine(); latest != nil && line != told {
				told = line
				latest(line)
			}
		case <-stop:
			stop, tooLong = nil, time.After(stopLimit)
		case <-tooLong:
			return Finished{Output: p.output.output(), ExitCode: -1, Stopped: stopOf(ctx), Took: time.Since(p.began)},
				fmt.Errorf("some of it was still running %v after it was killed; Pawl's helper (process %d) goes on trying to end it", stopLimit, p.pid.Load())
		}
	}
}

// finished reads what there is to know after the end. startErr says why the
// program was never started.
func (p *process) finished(ctx context.Context, startErr error) (Finished, error) {
	f := Finished{Output: p.output.output(), ExitCode: -1, Took: time.Since(p.began)}
	asked := p.asked.Load()
	switch {
	case startErr != nil && ctx.Err() != nil:
		f.Stopped = stopOf(ctx)
		return f, nil
	case startErr != nil:
		f.Took = 0
		return f, fmt.Errorf("start %s: %w", p.path, startErr)
	case p.report.Done:
		f.ExitCode, f.Left = p.report.Code, p.report.Left
		if asked && p.report.Stopped {
			f.Stopped = stopOf(ctx)
		}
		p.alive = p.report.Alive
	default:
		f.Left = p.left
		if asked {
			f.Stopped = stopOf(ctx)
		}
	}
	switch {
	case p.alive > 0:
		return f, fmt.Errorf("%s could not be ended: killed, but still there; end them by hand", words.Count(p.alive, "process"))
	case !p.report.Done && (!asked || p.mode != launch.Namespace):
		return f, fmt.Errorf("the helper process (%s) ended before the command did, %s, so its exit code is unknown; what was still running has been killed", launch.Name, p.cmd.ProcessState)
	default:
		return f, nil
	}
}
