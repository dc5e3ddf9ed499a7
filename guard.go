package main

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/ui/headless"
)

// leash is Pawl's end of the line to its guard; pawl/internal/guard draws what goes over
// it. A nil leash is that of a process without a guard, and does nothing.
type leash struct {
	line      *os.File
	terminals guard.Terminals
	lost      chan struct{} // closed when the guard is gone

	writing sync.Mutex // to the terminal of the screen
	shown   bool       // the screen
	bar     bool       // its terminal has a progress bar

	mu      sync.Mutex
	request func(syscall.Signal) // takes what the guard hands on; nil: nobody is there yet
}

// takeLeash takes the line up, if there is a guard.
func takeLeash() *leash {
	fd, ok := guard.Line()
	if !ok {
		return nil
	}
	l := &leash{line: os.NewFile(uintptr(fd), "guard"), terminals: guard.FindTerminals(), lost: make(chan struct{})}
	go l.listen()
	return l
}

// listen hands on the signals that the guard was sent, until the guard is gone.
func (l *leash) listen() {
	for buffer := make([]byte, 16); ; {
		n, err := l.line.Read(buffer)
		for _, number := range buffer[:n] {
			l.take(syscall.Signal(number))
		}
		if err != nil {
			l.part()
			return
		}
	}
}

func (l *leash) take(s syscall.Signal) {
	if s == syscall.SIGQUIT { // asks for the stacks of all goroutines, which Go writes itself
		host.SignalSelf(s)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.request == nil {
		l.leave(exitCode(s))
	}
	l.request(s)
}

// part is what follows when the guard is gone. This process is then one of the
// background, and the kernel would stop it for putting the terminal right. That
// comes first: the shell is about to write its prompt.
func (l *leash) part() {
	signal.Ignore(host.BackgroundSignals()...)
	l.terminals.RestoreSettings()
	close(l.lost) // from here the screen writes nothing more
	l.mu.Lock()
	alone := l.request == nil
	l.mu.Unlock()
	if alone {
		os.Exit(headless.ExitSIGHUP)
	}
	l.writing.Lock() // a terminal that nobody reads keeps this goroutine, and only this
	defer l.writing.Unlock()
	if l.shown {
		l.terminals.ResetModes(l.bar)
	}
}

// attend sends to request what the guard hands on, until the returned function is
// called. Whenever nobody attends there is nothing to put in order, and a signal
// ends the process.
func (l *leash) attend(request func(syscall.Signal)) (release func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.request = request
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.request = nil
	}
}

// gone is closed when the guard is gone: this process then ends too.
func (l *leash) gone() <-chan struct{} {
	if l == nil {
		return nil
	}
	return l.lost
}

func (l *leash) isLost() bool {
	select {
	case <-l.gone():
		return true
	default:
		return false
	}
}

// say sends words to the guard.
func (l *leash) say(words string) {
	if l != nil {
		_, _ = l.line.WriteString(words) // a guard that is gone needs none
	}
}

// leave ends this process at once, because somebody insists. The guard puts right
// what is left.
func (l *leash) leave(code int) {
	l.say(string(rune(guard.Meant)))
	os.Exit(code)
}

// tellCrashFile tells the guard where a trace would be.
func (l *leash) tellCrashFile(c *crashFile) {
	if c != nil && c.file != nil {
		l.say(guard.CrashFile(c.path, c.size()))
	}
}

// screen makes a terminal one that is ours only as long as the guard is there, and
// tells the guard that the screen is about to be shown on it.
func (l *leash) screen(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	reads, ok := in.(*os.File)
	writes, okay := out.(*os.File)
	if !ok || !okay || l == nil {
		return in, out
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	l.shown = true
	l.say(string(rune(guard.Screen)))
	return ownTerminal{reads, l}, ownTerminal{writes, l}
}

// keepOutput follows the end of the screen: no Ctrl+C may undo it.
func (l *leash) keepOutput() {
	if l != nil && !l.isLost() {
		l.terminals.KeepOutput()
	}
}

// ownTerminal is a terminal while it is ours. When the guard is gone the terminal
// is put right at once, and then it is the shell's: the screen may be about to
// leave, but must not draw, nor set anything, any more.
type ownTerminal struct {
	*os.File
	leash *leash
}

// Write writes while the guard is there.
func (o ownTerminal) Write(text []byte) (int, error) {
	o.leash.writing.Lock()
	defer o.leash.writing.Unlock()
	if o.leash.isLost() {
		return len(text), nil
	}
	return o.File.Write(text)
}

// Fd is asked for right before each use.
func (o ownTerminal) Fd() uintptr {
	if o.leash.isLost() && guard.Cooked(int(o.File.Fd())) {
		return ^uintptr(0)
	}
	return o.File.Fd()
}

// sameSignal is how close together signals are taken for one: timeout(1) sends two.
const sameSignal = 500 * time.Millisecond

// lateReport is how far apart the two reports of one signal may be: the kernel's
// own, and the guard's, who got it from the same key. Nothing but a starved machine
// needs more than a few milliseconds; on one, half a second was not enough.
const lateReport = 10 * time.Second

// reports tells one signal that comes twice from two. Of a pair each report answers
// for one of the other kind.
type reports struct {
	last      map[os.Signal]time.Time // when it last came, in whatever way
	came      map[os.Signal]time.Time // when it came directly, and not yet from the guard
	forwarded map[os.Signal]time.Time // when it came from the guard, and not yet directly
}

func newReports() reports {
	return reports{map[os.Signal]time.Time{}, map[os.Signal]time.Time{}, map[os.Signal]time.Time{}}
}

// direct says whether a signal from the kernel is news.
func (r reports) direct(s os.Signal, now time.Time) bool {
	r.last[s] = now
	if answers(r.forwarded, s, now) {
		return false
	}
	r.came[s] = now
	return true
}

// handedOn says whether a signal from the guard is news.
func (r reports) handedOn(s os.Signal, now time.Time) bool {
	at, known := r.last[s]
	if answers(r.came, s, now) || known && now.Sub(at) <= sameSignal {
		return false
	}
	r.last[s], r.forwarded[s] = now, now
	return true
}

// answers says whether a report is the second of a pair, whose first waits no longer.
func answers(waiting map[os.Signal]time.Time, s os.Signal, now time.Time) bool {
	at, waits := waiting[s]
	delete(waiting, s)
	return waits && now.Sub(at) <= lateReport
}
