package guard

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"pawl/internal/system"
)

// Conn is Pawl's end of the line to its guard. A nil Conn belongs to a process without a guard
// and does nothing. Its methods may be called from any goroutine.
type Conn struct {
	line *os.File
	lost chan struct{} // closed when the guard is gone

	mu      sync.Mutex
	request func(syscall.Signal) // receives forwarded signals; nil: nobody does yet
}

// Connect returns the connection to the guard, or nil if there is none.
func Connect() *Conn {
	fd, ok := Line()
	if !ok {
		return nil
	}
	l := &Conn{line: os.NewFile(uintptr(fd), "guard"), lost: make(chan struct{})}
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

// guardLost runs when the guard is gone. This process may be in the background then, and the kernel
// would stop it for writing to the terminal, so those signals are ignored.
func (l *Conn) guardLost() {
	signal.Ignore(system.BackgroundSignals()...)
	close(l.lost)
	l.mu.Lock()
	alone := l.request == nil
	l.mu.Unlock()
	if alone {
		os.Exit(128 + int(syscall.SIGHUP))
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

// Tell sends a word to the guard, if there is one.
func (l *Conn) Tell(word byte) {
	if l != nil {
		_, _ = l.line.Write([]byte{word}) // a guard that is gone needs no words
	}
}

// Exit ends this process at once with the given code, because a person insists.
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
