package guard

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"pawl/internal/host"
)

// Conn is Pawl's end of the line to its guard. A nil one is that of a process without a
// guard, and does nothing.
type Conn struct {
	line      *os.File
	terminals Terminals
	lost      chan struct{} // closed when the guard is gone

	writing sync.Mutex // to the terminal of the screen
	shown   bool       // the screen
	bar     bool       // its terminal has a progress bar

	mu      sync.Mutex
	request func(syscall.Signal) // takes what the guard hands on; nil: nobody is there yet
}

// Connect is the connection to the guard; nil where there is none.
func Connect() *Conn {
	fd, ok := Line()
	if !ok {
		return nil
	}
	l := &Conn{line: os.NewFile(uintptr(fd), "guard"), terminals: FindTerminals(), lost: make(chan struct{})}
	go l.listen()
	return l
}

// listen hands on the signals that the guard was sent, until the guard is gone.
func (l *Conn) listen() {
	for buffer := make([]byte, 16); ; {
		n, err := l.line.Read(buffer)
		for _, number := range buffer[:n] {
			l.Take(syscall.Signal(number))
		}
		if err != nil {
			l.part()
			return
		}
	}
}

// Take does what a signal asks for that the guard hands on.
func (l *Conn) Take(s syscall.Signal) {
	if s == syscall.SIGQUIT { // asks for the stacks of all goroutines, which Go writes itself
		host.SignalSelf(s)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.request == nil {
		l.Leave(128 + int(s)) // as shells count
	}
	l.request(s)
}

// part is what follows when the guard is gone. This process is then one of the
// background, and the kernel would stop it for putting the terminal right. That
// comes first: the shell is about to write its prompt.
func (l *Conn) part() {
	signal.Ignore(host.BackgroundSignals()...)
	l.terminals.RestoreSettings()
	close(l.lost) // from here the screen writes nothing more
	l.mu.Lock()
	alone := l.request == nil
	l.mu.Unlock()
	if alone {
		os.Exit(128 + int(syscall.SIGHUP))
	}
	l.writing.Lock() // a terminal that nobody reads keeps this goroutine, and only this
	defer l.writing.Unlock()
	if l.shown {
		l.terminals.ResetModes(l.bar)
	}
}

// Attend sends to request what the guard hands on, until the returned function is
// called. Whenever nobody attends there is nothing to put in order, and a signal
// ends the process.
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

// Gone is closed when the guard is gone: this process then ends too.
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

// Tell sends a word to the guard.
func (l *Conn) Tell(word byte) {
	if l != nil {
		_, _ = l.line.Write([]byte{word}) // a guard that is gone needs none
	}
}

// Leave ends this process at once, because somebody insists. The guard puts right
// what is left.
func (l *Conn) Leave(code int) {
	l.Tell(Meant)
	os.Exit(code)
}

// TellCrashFile tells the guard where a trace would be.
func (l *Conn) TellCrashFile(c *CrashFile) {
	if l != nil && c != nil && c.file != nil {
		_, _ = l.line.WriteString(crashNotice(c.path, c.size()))
	}
}

// Screen makes a terminal one that is ours only as long as the guard is there, and
// tells the guard that the screen is about to be shown on it.
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

// KeepOutput follows the end of the screen: no Ctrl+C may undo it.
func (l *Conn) KeepOutput() {
	if l != nil && !l.isLost() {
		l.terminals.KeepOutput()
	}
}

// ownTerminal is a terminal while it is ours. When the guard is gone the terminal
// is put right at once, and then it is the shell's: the screen may be about to
// Leave, but must not draw, nor set anything, any more.
type ownTerminal struct {
	*os.File
	leash *Conn
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
	if o.leash.isLost() && Cooked(int(o.File.Fd())) {
		return ^uintptr(0)
	}
	return o.File.Fd()
}

// HasBar tells the guard that the terminal has a progress bar to take away.
func (l *Conn) HasBar() {
	if l == nil {
		return
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	l.bar = true
	l.Tell(Bar)
}
