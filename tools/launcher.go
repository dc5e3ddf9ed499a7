package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"pawl/lifecycle"
)

// How long an end may take: what a program leaves has exitGrace to go by itself,
// what was told to stop has termGrace before it is killed and killGrace to vanish
// then, and whoever asked waits no longer than stopLimit in all.
const (
	exitGrace = 50 * time.Millisecond
	termGrace = 500 * time.Millisecond
	killGrace = time.Second
	stopLimit = 1900 * time.Millisecond
)

// reportEvery is how often the latest line of output is looked at.
const reportEvery = 100 * time.Millisecond

// Launcher is the one door to processes: nothing else in the program starts one.
// A program it starts has a session and a process group of its own, no terminal,
// nothing to read, no keys of model providers in its environment, and a mark
// there by which whatever it leaves behind is found. On Linux it dies with Pawl.
// What must not stand in an environment, anybody's to read, can be handed over by
// Command.Stdin.
//
// The zero value works. Its methods may be called from any goroutine.
type Launcher struct {
	// Owner is the run whose processes these are: PAWL_RUN in their environment.
	Owner lifecycle.RunID
	// Environ gives the environment to clean and hand on; nil means os.Environ.
	Environ func() []string
}

// Command is a program to run.
type Command struct {
	Name    string   // a path, or a name that is looked up on PATH
	Args    []string // without the name
	Folder  string   // where it runs
	Environ []string // added to the clean environment, as NAME=value
	Limit   time.Duration
	// Stdin and Stdout, where they are set, are handed to the program as they are:
	// Output is then standard error alone. Whoever opened them closes them when
	// Run has returned.
	Stdin, Stdout *os.File
	// Latest is told the newest line of output, some times a second while there
	// is a new one, on the goroutine that called Run. Nil is allowed.
	Latest func(line string)
}

// Stop says what ended a program before its time.
type Stop string

// The ways to be stopped.
const (
	NotStopped    Stop = ""
	StopCanceled  Stop = "canceled"
	StopTimeLimit Stop = "time_limit"
)

// Finished is what is known of a program when it has ended.
type Finished struct {
	Output   Output // both streams, in the order in which they came
	ExitCode int    // as a shell gives it: 128 + n for signal n
	Stopped  Stop
	Left     int // processes that outlived it and were ended with it
	Took     time.Duration
}

var errTimeLimit = errors.New("time limit")

// ShellCommand is a command line for bash, or for sh where there is no bash.
func ShellCommand(line string) Command {
	name := "sh"
	if path, err := exec.LookPath("bash"); err == nil {
		name = path
	}
	return Command{Name: name, Args: []string{"-c", line}}
}

// Run starts a program and returns when it has ended and everything it started
// is gone, at the latest 2 s after ctx ended or the time limit passed. What it
// did is in Finished, also how it failed. An error means that it could not be
// started, or that it could not be ended in time; Finished then has the output
// so far.
func (l *Launcher) Run(ctx context.Context, c Command) (Finished, error) {
	if c.Limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, c.Limit, errTimeLimit)
		defer cancel()
		ctx = limited
	}
	// Whatever way this function is left, a panic of Latest included, the program
	// is not.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := l.prepare(ctx, c)
	ended := make(chan error, 1)
	go func() { ended <- p.live() }()
	return p.attend(ctx, ended, c.Latest)
}

func (l *Launcher) prepare(ctx context.Context, c Command) *process {
	environ := os.Environ
	if l.Environ != nil {
		environ = l.Environ
	}
	mark := uuid.NewString()
	p := &process{began: time.Now(), mark: mark, output: newCapture()}
	p.cmd = exec.CommandContext(ctx, c.Name, c.Args...)
	p.cmd.Dir = c.Folder
	p.cmd.Env = append(cleanEnviron(environ(), string(l.Owner), mark), "PWD="+c.Folder)
	p.cmd.Env = append(p.cmd.Env, c.Environ...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output // the same value: one pipe for both
	if c.Stdin != nil {                             // a nil *os.File is no nil io.Reader
		p.cmd.Stdin = c.Stdin
	}
	if c.Stdout != nil {
		p.cmd.Stdout = c.Stdout
	}
	p.cmd.SysProcAttr = processAttributes()
	p.cmd.Cancel = p.terminate
	p.cmd.WaitDelay = termGrace
	return p
}

// process is one program, from its start until nothing of it is left.
type process struct {
	cmd    *exec.Cmd
	output *capture
	mark   string
	began  time.Time

	pid    atomic.Int64
	termed atomic.Int64 // when it was told to stop, in ns since began; 0: it was not
	left   int
}

// live starts the program, waits for it and clears up behind it, on one thread:
// where it is to die with its parent, the kernel means the thread.
func (p *process) live() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.pid.Store(int64(p.cmd.Process.Pid))
	// How it ended is read from ProcessState; that a grandchild held the pipe, or
	// that it was told to stop, is known otherwise.
	_ = p.cmd.Wait()
	p.left = p.clear()
	return nil
}

// terminate asks the whole group to stop.
func (p *process) terminate() error {
	p.termed.Store(max(1, int64(time.Since(p.began))))
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM); err != nil {
		p.termed.Store(0)
		return os.ErrProcessDone
	}
	return nil
}

// clear ends what is left of the program after its own end, politely where it
// was not yet told to stop, and says how many processes that were.
func (p *process) clear() int {
	leader := p.cmd.Process.Pid
	left := survivors(leader, p.mark)
	if len(left) == 0 {
		return 0
	}
	polite := p.began.Add(time.Duration(p.termed.Load()) + termGrace)
	if p.termed.Load() == 0 {
		// What is on its way out by itself was not left.
		if left = p.settle(left, time.Now().Add(exitGrace)); len(left) == 0 {
			return 0
		}
		for _, stray := range left {
			stray.signal(syscall.SIGTERM)
		}
		polite = time.Now().Add(termGrace)
	}
	number := len(left)
	left = p.settle(left, polite)
	// What forks while it is being killed is found by the next look.
	for until := time.Now().Add(killGrace); len(left) > 0 && time.Now().Before(until); {
		for _, stray := range left {
			stray.signal(syscall.SIGKILL)
		}
		time.Sleep(5 * time.Millisecond)
		left = survivors(leader, p.mark)
	}
	return number
}

// settle waits for processes to vanish by themselves, and says which have not.
func (p *process) settle(left []stray, until time.Time) []stray {
	for len(left) > 0 && time.Now().Before(until) {
		time.Sleep(10 * time.Millisecond)
		left = survivors(p.cmd.Process.Pid, p.mark)
	}
	return left
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
				fmt.Errorf("process %d was killed but has not ended after %v", p.pid.Load(), stopLimit)
		}
	}
}

// finished reads what there is to know after the end. startErr says why the
// program was never started.
func (p *process) finished(ctx context.Context, startErr error) (Finished, error) {
	f := Finished{Output: p.output.output(), ExitCode: -1, Took: time.Since(p.began)}
	if startErr != nil {
		if ctx.Err() != nil {
			f.Stopped = stopOf(ctx)
			return f, nil
		}
		return f, fmt.Errorf("start %s: %w", p.cmd.Path, startErr)
	}
	f.Left = p.left
	if p.termed.Load() != 0 {
		f.Stopped = stopOf(ctx)
	}
	if state := p.cmd.ProcessState; state != nil {
		f.ExitCode = state.ExitCode()
		if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			f.ExitCode = 128 + int(status.Signal())
		}
	}
	return f, nil
}

func stopOf(ctx context.Context) Stop {
	if errors.Is(context.Cause(ctx), errTimeLimit) {
		return StopTimeLimit
	}
	return StopCanceled
}
