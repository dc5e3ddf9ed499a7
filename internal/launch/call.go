//go:build !windows

package launch

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// How long an end may take: what a command leaves has exitGrace to go by itself,
// or holdGrace while it still holds the output and may have something to say;
// what was told to stop has termGrace before it is killed, and killGrace to
// vanish then: many processes need a while to die, and Pawl does not wait for it.
const (
	exitGrace = 50 * time.Millisecond
	holdGrace = 500 * time.Millisecond
	termGrace = 500 * time.Millisecond
	killGrace = 10 * time.Second
	// again is how often it is looked for what forked while it was being killed.
	again = 5 * time.Millisecond
)

// means is what one mode does its own way.
type means struct {
	// prepare makes the helper able to keep what it will start, or says at which
	// step it is not; and what of the confinement the mode alone can do.
	prepare func(*Confinement) (step string, err error)
	// attributes are the command's.
	attributes syscall.SysProcAttr
	// members are the processes of the call that are alive, the helper excepted.
	members func(command int) []Stray
	// everybody: the members are all processes that the helper can reach.
	everybody bool
	// adopts: every orphan becomes the helper's child, so a helper without
	// children has left nothing.
	adopts bool
	// ours: the command's number is the one that Pawl sees.
	ours bool
}

type stage int

const (
	running     stage = iota // the command runs
	settling                 // it has ended; what is left may go by itself
	terminating              // all were told to stop
	killing                  // all are killed
)

type happening int

const (
	commandEnded happening = iota
	allGone
	stopAsked
	outputClosed
	pawlGone
)

type event struct {
	what   happening
	status syscall.WaitStatus // of commandEnded
}

// call is one command, from its start until nothing of it is left. Its fields
// belong to attend; the goroutines only send events.
type call struct {
	means
	command int
	events  chan event

	stage  stage
	quiet  bool // nobody holds the output
	ended  bool // the command has
	next   *time.Timer
	until  time.Time // when killing is given up
	killed sent
	report Report
}

func newCall(m means) *call {
	next := time.NewTimer(time.Hour)
	next.Stop()
	return &call{means: m, events: make(chan event, 8), next: next, killed: sent{}, report: Report{Done: true, Code: -1}}
}

// start runs the command. What is to hold for the command and not for the helper
// was done to this thread before the fork.
func (c *call) start(path string, argv []string) error {
	// A signal to the helper is meant for the command. Noted signals go back to
	// their default in the command; those that were ignored at the start (as under
	// nohup) stay ignored there, as they would without the helper.
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
	if c.ours {
		_, _ = syscall.Write(reportFD, []byte(startedLine(pid)))
	}
	letGoOfOutput()
	go c.reap()
	go c.listen()
	go func() {
		for range asked {
			c.events <- event{what: stopAsked}
		}
	}()
	return nil
}

// reap waits for every child there is, the adopted ones too.
func (c *call) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, anyChild, nil)
		switch {
		case err == syscall.EINTR:
		case err == nil && pid == c.command && (status.Exited() || status.Signaled()):
			c.events <- event{what: commandEnded, status: status}
		case err != nil:
			// Nobody tells of a stranger's end.
			for !c.adopts && len(c.members(c.command)) > 0 {
				time.Sleep(2 * again)
			}
			c.events <- event{what: allGone}
			return
		}
	}
}

// listen hears what Pawl asks, and that it is gone.
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

// attend returns when nothing of the call is left, or cannot be ended.
func (c *call) attend() Report {
	for {
		select {
		case e := <-c.events:
			if e.what == allGone {
				return c.report
			}
			c.take(e)
		case <-c.next.C:
			if c.advance(); c.stage == killing && time.Now().After(c.until) {
				c.report.Alive = len(c.members(c.command))
				return c.report
			}
		}
	}
}

func (c *call) take(e event) {
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

// advance is what happens when a stage has had its time.
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
	c.signal(syscall.SIGTERM, sent{})
	c.next.Reset(termGrace)
}

func (c *call) kill() {
	if c.stage != killing {
		c.stage, c.until = killing, time.Now().Add(killGrace)
	}
	c.signal(syscall.SIGKILL, c.killed)
	c.next.Reset(again)
}

// signal reaches all members. For everybody it is one call that no fork can run
// away from: the kernel holds them all meanwhile, and it spares the helper.
func (c *call) signal(signal syscall.Signal, already sent) {
	if c.everybody {
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
