//go:build !windows

package guard

import (
	"errors"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"pawl/internal/handover"
	"pawl/internal/system"
)

// cleanupLimit is how long the guard may take once Pawl is gone. Then it exits even if processes are
// left that the kernel cannot kill.
const cleanupLimit = 2 * time.Second

// become makes this process the guard. It returns only if that failed, with this process as it
// was before.
func become() error {
	g := &guard{front: handover.Inherited(), inherited: children(), signals: make(chan os.Signal, 16)}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return errors.New("no socket for it: " + err.Error())
	}
	syscall.CloseOnExec(pair[0])           // the child gets the other end
	_ = syscall.SetNonblock(pair[0], true) // a stopped Pawl does not read: writes must not block
	g.line = pair[0]
	// From here on signals are kept for the child and do not end the guard. Those ignored at the
	// start stay ignored, here and, by inheritance, in the child.
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(g.signals, s)
		}
	}
	adoptOrphans(true)
	pid, err := start(pair[1])
	_ = syscall.Close(pair[1]) // the child has its own
	if err != nil {
		signal.Reset()
		adoptOrphans(false)
		_ = syscall.Close(pair[0]) // it served nobody
		return errors.New("it could not be started: " + err.Error())
	}
	g.run(pid)
	return nil
}

// start starts this same binary again and hands it the line.
func start(line int) (pid int, err error) {
	environ := append(os.Environ(), variable+"="+strconv.Itoa(line))
	// The line keeps its number: descriptors without FD_CLOEXEC are inherited as they are.
	return syscall.ForkExec(system.Executable(), os.Args, &syscall.ProcAttr{Env: environ, Files: []uintptr{0, 1, 2}})
}

// guard is the process around one Pawl.
type guard struct {
	line      int
	front     *handover.Ending // the front that has started this guard; nil: a shell or another program did
	inherited map[int]bool     // children that this process had already, if its program was replaced by Pawl (exec)
	signals   chan os.Signal
	quit      atomic.Bool // SIGQUIT was forwarded: what follows is not a bug
	errors    int         // the descriptor for standard error
}

// run serves one Pawl until it ends, and exits with its code.
func (g *guard) run(pid int) {
	NameProcess(system.GuardName)
	HideMemory()
	g.hideTraces()
	ReleaseSoon()
	go g.forward()
	status := g.wait(pid)
	// Signals are still caught and nobody reads them: the guard is about to exit, and none of
	// them may end it earlier.
	code := exitCode(status)
	time.AfterFunc(cleanupLimit, func() { exit(code) })
	a := parseState(g.readConn())
	text := g.endText(a, status)
	if g.front == nil && text != "" {
		writeAll(g.errors, "pawl: "+text+"\n")
	}
	g.sweep()
	if a.session && !a.inOrder {
		g.recoverFolders()
	}
	g.front.Tell(code, text)
	exit(code)
}

// recoverFolders has files put right that Pawl was about to change when it died: by this same binary,
// since the guard knows neither the database nor the files. It goes on if the guard's time is over.
func (g *guard) recoverFolders() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return // the next Pawl in the folder does it
	}
	defer null.Close()
	pid, err := syscall.ForkExec(system.Executable(), []string{os.Args[0], recoverCommand}, &syscall.ProcAttr{
		Env: g.front.Withhold(os.Environ()), Files: []uintptr{null.Fd(), null.Fd(), null.Fd()},
	})
	if err == nil {
		g.wait(pid)
	}
}

// recoverCommand is the hidden command of that.
const recoverCommand = "recover"

// hideTraces keeps the trace that Go writes if the guard itself dies by a signal such as SIGSEGV
// off the terminal.
func (g *guard) hideTraces() {
	g.errors = 2
	own, err := Duplicate(2)
	if err != nil {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err == nil && Replace(2, int(null.Fd())) == nil {
		g.errors = own
	}
}

// forward passes every signal on to Pawl. It does not return.
func (g *guard) forward() {
	for s := range g.signals {
		number, ok := s.(syscall.Signal)
		if !ok {
			continue
		}
		if number == syscall.SIGQUIT {
			g.quit.Store(true)
		}
		// A Pawl that no longer reads needs no signal.
		_, _ = syscall.Write(g.line, []byte{byte(number)})
	}
}

// wait reaps children until Pawl ends, and returns its status.
func (g *guard) wait(pid int) syscall.WaitStatus {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 1 << 8 // somebody else has reaped it: exit code 1
		case ended == pid:
			return status
		default:
			delete(g.inherited, ended)
		}
	}
}

// readConn returns all that Pawl has sent. Pawl is gone, so it need not wait for more.
func (g *guard) readConn() string {
	var words []byte
	for buffer := make([]byte, 4096); ; {
		n, err := syscall.Read(g.line, buffer)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return string(words)
		}
		words = append(words, buffer[:n]...)
	}
}

func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
