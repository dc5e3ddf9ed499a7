//go:build !windows

package front

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/handover"
	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/internal/tty"
)

// endLimit is how long a front waits for a host that said that it ends: what it stopped may take 2 s,
// and its guard 2 s more.
const endLimit = 5 * time.Second

// How long a host may take to say that this is the end, once this process was told to end, and once
// it was told so twice: a host that was stopped says nothing.
const (
	askedLimit  = 10 * time.Second
	insistLimit = 2 * time.Second
)

// front is a terminal and the hosts that it is lent to, one after the other. Only the goroutine of
// run uses it.
type front struct {
	in, out, errors *os.File

	terminals tty.Terminals // with the settings of the shell
	signals   chan os.Signal
	said      []string // for standard error, once the terminal is right
	shown     bool     // a host has changed the terminal's modes
	untidy    bool     // one that another followed may not have put them right
	bar       bool
	back      *target // the session that this front showed last
}

func newFront() *front {
	f := &front{
		in: os.Stdin, out: os.Stdout, errors: os.Stderr,
		terminals: tty.Find(int(os.Stdin.Fd()), int(os.Stdout.Fd())), signals: make(chan os.Signal, 16),
	}
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGWINCH} {
		if !signal.Ignored(s) { // as under nohup, or in a script's background job
			signal.Notify(f.signals, s)
		}
	}
	return f
}

// run shows a target, and each one that a host sends this front on to, and returns the exit code.
func (f *front) run(t target) int {
	for {
		l, err := f.connect(t)
		if err != nil && f.back != nil { // as below: its folder may just have gone
			t = f.goBack(err.Error())
			continue
		}
		if err != nil {
			f.restore(false)
			f.tell(err.Error())
			return system.ExitError
		}
		out := l.serve()
		_ = l.conn.Close()
		switch {
		case out.next != nil:
			t = *out.next
		case out.retry: // the host left just when this front came
			t.session, t.args = "", t.commandLine()
		case out.code != system.ExitDone && !l.shown && f.back != nil && l.asked == 0: // to where one came from
			t = f.goBack(f.reason(out.text))
		default:
			f.finish(out)
			return out.code
		}
	}
}

// goBack is the session that this front showed last, once more, with why the next one was not opened.
func (f *front) goBack(why string) target {
	t := *f.back
	t.hello = &handover.Hello{Words: "not opened: " + why, Trouble: true}
	f.back, f.said = nil, nil
	return t
}

// reason is what a host said of its failure, in one line.
func (f *front) reason(text string) string {
	lines := append(f.said, text)
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimSpace(line), "pawl: ")
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// finish gives the terminal back to the shell. One that takes nothing is waited for until it does, or until
// this process is told to end once more.
func (f *front) finish(out outcome) {
	given := make(chan struct{})
	go func() {
		defer close(given)
		f.giveBack(out)
	}()
	patient, signals := time.After(insistLimit), (chan os.Signal)(nil)
	for {
		select {
		case <-given:
			return
		case <-patient: // a signal that came at once may be of the same end
			signals = f.signals
		case s := <-signals:
			if s != syscall.SIGWINCH {
				return
			}
		}
	}
}

// giveBack gives the terminal back, with what is to be said.
func (f *front) giveBack(out outcome) {
	f.restore(out.inOrder)
	for _, text := range f.said {
		f.say(text)
	}
	switch {
	case out.text == "":
	case out.note:
		fmt.Fprintln(f.out, sanitize.Clean(out.text))
	default:
		f.tell(out.text)
	}
}

// restore puts the terminal right: its settings and, unless the host has done that, its modes.
func (f *front) restore(inOrder bool) {
	if f.shown && (f.untidy || !inOrder) {
		tty.ResetModes(f.out, f.bar)
	}
	f.terminals.Restore()
}

// tell writes a line of this process's own.
func (f *front) tell(text string) {
	fmt.Fprintf(f.errors, "pawl: %s\n", sanitize.Line(sanitize.Ends(text)))
}

// mostSaid is how much of what a host says is kept until the terminal is right.
const mostSaid = 20

// keep keeps what a host says until then.
func (f *front) keep(text string) {
	if len(f.said) < mostSaid {
		f.said = append(f.said, sanitize.Ends(text))
	}
}

// say writes what a host says to a person.
func (f *front) say(text string) { fmt.Fprint(f.errors, sanitize.Clean(text)) }

// connect reaches the host of a target, or starts one, and lends it the terminal.
func (f *front) connect(t target) (*line, error) {
	l := &line{front: f, session: t.session}
	var err error
	if t.session != "" {
		if l.conn, err = dial(t.session); err != nil && !errors.Is(err, socket.ErrNoHost) {
			return nil, err
		}
	}
	if l.conn == nil {
		l.session = ""
		if l.conn, l.guard, err = startGuard(t.commandLine(), t.folder); err != nil {
			return nil, err
		}
	}
	width, height := f.size()
	attach := handover.Message{
		Type: handover.TypeAttach, Version: handover.Version, Environ: handover.TerminalEnviron(os.Environ()),
		Folder: cmp.Or(t.folder, here()), Hello: t.hello, Width: width, Height: height,
	}
	_ = handover.Send(l.conn, attach, f.in, f.out) // serve notices a host that has just left, or refuses
	l.attached = t
	return l, nil
}

// startGuard starts the guard of a new host in a session of its own, so that the end of this
// terminal does not reach it.
func startGuard(args []string, folder string) (*socket.Conn, *child, error) {
	conn, theirs, err := socket.Pair()
	if err != nil {
		return nil, nil, fmt.Errorf("start the session's process: %w", err)
	}
	defer theirs.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		_ = conn.Close()
		return nil, nil, fmt.Errorf("start the session's process: %w", err)
	}
	defer null.Close()
	const inherited = 3 // the place of theirs below
	pid, err := syscall.ForkExec(system.Executable(), append([]string{os.Args[0]}, args...), &syscall.ProcAttr{
		Dir: folder, Env: append(os.Environ(), handover.Inherit(inherited)),
		Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), theirs.Fd()}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = conn.Close()
		return nil, nil, fmt.Errorf("start the session's process: %w", err)
	}
	return conn, reap(pid), nil
}
