package guard

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"pawl/internal/system"
)

// Conn is Pawl's end of the line to its guard. A nil Conn belongs to a process without a guard
// and does nothing. Its methods may be called from any goroutine.
type Conn struct {
	line      *os.File
	terminals Terminals
	lost      chan struct{} // closed when the guard is gone

	writing sync.Mutex // guards the screen's terminal, shown and bar
	shown   bool       // the screen was shown
	bar     bool       // its terminal has a progress bar

	mu      sync.Mutex
	request func(syscall.Signal) // receives forwarded signals; nil: nobody does yet
}

// Connect returns the connection to the guard, or nil if there is none.
func Connect() *Conn {
	fd, ok := Line()
	if !ok {
		return nil
	}
	l := &Conn{line: os.NewFile(uintptr(fd), "guard"), terminals: FindTerminals(), lost: make(chan struct{})}
	go l.listen()
	return l
}

// listen delivers the signals that the guard forwards, until the guard is gone.
func (l *Conn) listen() {
	for buffer := make([]byte, 16); ; {
		n, err := l.line.Read(buffer)
		for _, number := range buffer[:n] {
			l.Take(syscall.Signal(number))
		}
		if err != nil {
			l.guardLost()
			return
		}
	}
}

// Take acts on a signal that the guard has forwarded.
func (l *Conn) Take(s syscall.Signal) {
	if s == syscall.SIGQUIT { // asks for the stacks of all goroutines, which Go writes itself
		system.SignalSelf(s)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.request == nil {
		l.Exit(128 + int(s)) // as shells count
	}
	l.request(s)
}

// guardLost runs when the guard is gone. This process then is in the background, and the kernel would
// stop it for changing the terminal, so those signals are ignored. The terminal comes first: the
// shell is about to write its prompt.
func (l *Conn) guardLost() {
	signal.Ignore(system.BackgroundSignals()...)
	l.terminals.RestoreSettings()
	close(l.lost) // from here on the screen writes nothing
	l.mu.Lock()
	alone := l.request == nil
	l.mu.Unlock()
	if alone {
		os.Exit(128 + int(syscall.SIGHUP))
	}
	l.writing.Lock() // a terminal that nobody reads blocks this goroutine only
	defer l.writing.Unlock()
	if l.shown {
		l.terminals.ResetModes(l.bar)
	}
}

// Attend passes forwarded signals to request until the returned function is called. While nobody
// attends, a signal ends the process: there is nothing to put in order.
func (l *Conn) Attend(request func(syscall.Signal)) (release func()) {
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

// Gone returns a channel that is closed when the guard is gone: this process must then end too.
func (l *Conn) Gone() <-chan struct{} {
	if l == nil {
		return nil
	}
	return l.lost
}

func (l *Conn) isLost() bool {
	select {
	case <-l.Gone():
		return true
	default:
		return false
	}
}

// Tell sends a word to the guard, if there is one.
func (l *Conn) Tell(word byte) {
	if l != nil {
		_, _ = l.line.Write([]byte{word}) // a guard that is gone needs no words
	}
}

// Exit ends this process at once with the given code, because a person insists. The guard
// restores the terminal.
func (l *Conn) Exit(code int) {
	l.Tell(Meant)
	os.Exit(code)
}

// TellCrashFile tells the guard where a crash trace would be.
func (l *Conn) TellCrashFile(c *CrashFile) {
	if l != nil && c != nil && c.file != nil {
		_, _ = l.line.WriteString(crashNotice(c.path, c.size()))
	}
}

// Screen wraps the terminal so that it is used only while the guard is there, and tells the
// guard that the screen is about to be shown.
func (l *Conn) Screen(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	reads, ok := in.(*os.File)
	writes, okay := out.(*os.File)
	if !ok || !okay || l == nil {
		return in, out
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	l.shown = true
	l.Tell(Screen)
	return ownTerminal{reads, l}, ownTerminal{writes, l}
}

// KeepOutput makes sure that Ctrl+C does not discard what the screen wrote last. Call it after
// the screen's end.
func (l *Conn) KeepOutput() {
	if l != nil && !l.isLost() {
		l.terminals.KeepOutput()
	}
}

// ownTerminal is a terminal that is used only while the guard is there. When the guard is gone
// the terminal is restored at once and belongs to the shell: the screen may still be shutting
// down but must neither draw nor change settings.
type ownTerminal struct {
	*os.File
	conn *Conn
}

// Write writes to the terminal, or drops the text if the guard is gone.
func (o ownTerminal) Write(text []byte) (int, error) {
	o.conn.writing.Lock()
	defer o.conn.writing.Unlock()
	if o.conn.isLost() {
		return len(text), nil
	}
	return o.File.Write(text)
}

// Fd returns the descriptor, or an invalid one if the guard is gone and the terminal restored.
// Callers ask for it right before each use.
func (o ownTerminal) Fd() uintptr {
	if o.conn.isLost() && Cooked(int(o.File.Fd())) {
		return ^uintptr(0)
	}
	return o.File.Fd()
}

// HasBar tells the guard that the terminal shows a progress bar to be cleared.
func (l *Conn) HasBar() {
	if l == nil {
		return
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	l.bar = true
	l.Tell(Bar)
}
