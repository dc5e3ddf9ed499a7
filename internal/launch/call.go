//go:build !windows

package launch

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// How long ending may take. Processes left behind by a command get exitGrace to end by
// themselves, or holdGrace while they still hold the output and may have something to write.
// Those told to stop get termGrace before they are killed, and killGrace to vanish after that:
// many processes need a while to die, and Pawl does not wait for it.
const (
	exitGrace = 50 * time.Millisecond
	holdGrace = 500 * time.Millisecond
	termGrace = 500 * time.Millisecond
	killGrace = 10 * time.Second
	// rekillInterval is how often processes that forked while they were being killed are looked for.
	rekillInterval = 5 * time.Millisecond
)

// mechanism is how one mode works.
type mechanism struct {
	// prepare sets up the helper for what it will start, including the parts of the confinement
	// that only this mode can do. An error comes with the step that failed.
	prepare func(*Confinement) (step string, err error)
	// attributes are those the command is started with.
	attributes syscall.SysProcAttr
	// members lists the living processes of the call, without the helper.
	members func(command int) []Stray
	// killAll: the members are all processes that the helper can signal.
	killAll bool
	// adopts: every orphan becomes a child of the helper, so a helper without children has left
	// nothing behind.
	adopts bool
	// samePID: the command has the same process id for Pawl as for the helper.
	samePID bool
}

type stage int

const (
	running     stage = iota // the command runs
	settling                 // it has ended; what it left may end by itself
	terminating              // all processes were told to stop
	killing                  // all processes are being killed
)

type eventKind int

const (
	commandEnded eventKind = iota
	allGone
	stopAsked
	outputClosed
	pawlGone
)

type event struct {
	what   eventKind
	status syscall.WaitStatus // of commandEnded
}

// call is one command, from its start until all its processes are gone. Only attend uses its
// fields after the start; the other goroutines send events.
type call struct {
	mechanism
	command int
	events  chan event

	stage  stage
	quiet  bool // no process holds the output
	ended  bool // the command has ended
	next   *time.Timer
	until  time.Time // when to give up killing
	killed signalled
	report Report
}

func newCall(m mechanism) *call {
	next := time.NewTimer(time.Hour)
	next.Stop()
	return &call{mechanism: m, events: make(chan event, 8), next: next, killed: signalled{}, report: Report{Done: true, Code: -1}}
}

// start runs the command. Restrictions that apply to the command but not to the helper were
// placed on this thread before the fork.
func (c *call) start(path string, argv []string) error {
	// A signal to the helper is meant for the command. Signals caught here go back to their
	// default in the command; those ignored at the start (as under nohup) stay ignored there, as
	// they would without the helper.
	asked := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGABRT} {
		if !signal.Ignored(s) {
			signal.Notify(asked, s)
		}
	}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &c.attributes})
	if err != nil {
		return err
	}
	c.command = pid
	if c.samePID {
		_, _ = syscall.Write(reportFD, []byte(startedLine(pid)))
	}
	releaseOutput()
	go c.reap()
	go c.listen()
	go func() {
		for range asked {
			c.events <- event{what: stopAsked}
		}
	}()
	return nil
}

// reap waits for all children, adopted ones included, and sends the events of their ends.
func (c *call) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, anyChild, nil)
		switch {
		case err == syscall.EINTR:
		case err == nil && pid == c.command && (status.Exited() || status.Signaled()):
			c.events <- event{what: commandEnded, status: status}
		case err != nil:
			// Processes that are not children must be polled: wait4 does not report their end.
			for !c.adopts && len(c.members(c.command)) > 0 {
				time.Sleep(2 * rekillInterval)
			}
			c.events <- event{what: allGone}
			return
		}
	}
}

// listen reads Pawl's requests from the control pipe until Pawl is gone.
func (c *call) listen() {
	var ask [1]byte
	for {
		n, err := syscall.Read(controlFD, ask[:])
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case n <= 0:
			c.events <- event{what: pawlGone}
			return
		case ask[0] == AskStop:
			c.events <- event{what: stopAsked}
		case ask[0] == AskHasten:
			c.events <- event{what: outputClosed}
		}
	}
}

// attend returns when no process of the call is left, or those left cannot be killed.
func (c *call) attend() Report {
	for {
		select {
		case e := <-c.events:
			if e.what == allGone {
				return c.report
			}
			c.handle(e)
		case <-c.next.C:
			if c.advance(); c.stage == killing && time.Now().After(c.until) {
				c.report.Alive = len(c.members(c.command))
				return c.report
			}
		}
	}
}

func (c *call) handle(e event) {
	switch e.what {
	case commandEnded:
		c.ended, c.report.Code = true, exitCode(e.status)
		if c.stage == running {
			c.stage = settling
			c.settle()
		} else {
			c.report.Left = len(c.members(c.command))
		}
	case outputClosed:
		c.quiet = true
		if c.stage == settling {
			c.settle()
		}
	case stopAsked:
		if c.stage < terminating {
			c.report.Stopped = !c.ended
			c.terminate()
		}
	case pawlGone:
		c.kill()
	case allGone:
	}
}

func (c *call) settle() {
	if c.quiet {
		c.next.Reset(exitGrace)
	} else {
		c.next.Reset(holdGrace)
	}
}

// advance moves on when a stage has used up its time.
func (c *call) advance() {
	switch c.stage {
	case settling:
		c.terminate()
	case terminating, killing:
		c.kill()
	case running:
	}
}

func (c *call) terminate() {
	if c.ended {
		c.report.Left = len(c.members(c.command))
	}
	c.stage = terminating
	c.signal(syscall.SIGTERM, signalled{})
	c.next.Reset(termGrace)
}

func (c *call) kill() {
	if c.stage != killing {
		c.stage, c.until = killing, time.Now().Add(killGrace)
	}
	c.signal(syscall.SIGKILL, c.killed)
	c.next.Reset(rekillInterval)
}

// signal sends a signal to all members. With killAll one kill(-1) does it, which no
// fork escapes: the kernel holds them all meanwhile, and it spares the helper.
func (c *call) signal(signal syscall.Signal, already signalled) {
	if c.killAll {
		_ = syscall.Kill(-1, signal)
		return
	}
	signalAll(c.members(c.command), signal, already)
}

func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
