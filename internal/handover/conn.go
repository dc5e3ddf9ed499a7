package handover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/internal/tty"
	"pawl/internal/words"
)

// Conn is a host's end of the line to one front, and the terminal that this front has lent. Its
// methods may be called from any goroutine. A nil Conn has no front and no terminal.
type Conn struct {
	conn    *socket.Conn
	attach  Message
	files   []*os.File
	before  tty.Terminals // as the front had them
	sizes   chan Size
	signals chan int
	answers chan Message  // to suspend and edit
	gone    chan struct{} // closed when the front is gone

	mu    sync.Mutex
	shown bool
	bar   bool
	ended bool

	untidy bool // the screen may not have put the terminal's modes right

	writing sync.Mutex    // held while somebody writes to the terminal
	heard   chan struct{} // closed when listen has done its last
	release sync.Once
}

// Size is a terminal's size in cells.
type Size struct{ Width, Height int }

// attachLimit is how long a front may take to say what it wants. It does so before it waits for
// anything.
const attachLimit = 10 * time.Second

// Connect takes the line of the front that has started this process, and waits for its first
// message; nil if no front has. Programs started later do not see the line.
func Connect() (*Conn, error) {
	fd, ok := inherited()
	_ = os.Unsetenv(variable)
	if !ok {
		return nil, nil
	}
	conn, err := socket.FromFD(fd)
	if err != nil {
		return nil, fmt.Errorf("take over the terminal: %w", err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(attachLimit)) // it is open
	first, files, err := Receive(conn)
	_ = conn.SetReadDeadline(time.Time{}) // as well
	if err == nil && first.Type != TypeAttach {
		err = fmt.Errorf("its first message is %q", first.Type)
	}
	if err == nil {
		err = drawable(files)
	}
	if err != nil {
		err = fmt.Errorf("take over the terminal: %w", err)
		refuse(conn, files, err)
		_ = conn.Close()
		return nil, err
	}
	return New(conn, first, files), nil
}

// New is the host's end of a line whose first message, an attach, has been read.
func New(conn *socket.Conn, attach Message, files []*os.File) *Conn {
	c := &Conn{
		conn: conn, attach: attach, files: files, sizes: make(chan Size, 1), signals: make(chan int, 4), answers: make(chan Message, 1),
		gone: make(chan struct{}), heard: make(chan struct{}),
	}
	for _, file := range files {
		c.before = append(c.before, tty.Find(int(file.Fd()))...)
	}
	go c.listen()
	return c
}

// Greeted is New for a first line that has been read from conn already, with the files that came
// with it, which it takes over. attaches is false if the line is no attach. A front that does not lend
// a terminal is told so, as the end.
func Greeted(conn *socket.Conn, line []byte, files []*os.File) (c *Conn, attaches bool, err error) {
	m, _, err := read(line, nil)
	attaches = err == nil && m.Type == TypeAttach
	if attaches {
		err = lends(files)
	}
	if attaches && err == nil {
		return New(conn, m, files), true, nil
	}
	if !attaches {
		closeAll(files)
		return nil, false, nil
	}
	refuse(conn, files, err)
	return nil, true, err
}

// refuse tells a front why its terminal is not taken, and lets go of it.
func refuse(conn *socket.Conn, files []*os.File, why error) {
	closeAll(files)
	_ = conn.SetWriteDeadline(time.Now().Add(refusalLimit))
	_ = Send(conn, Message{Type: TypeEnd, Code: system.ExitUsage, Text: why.Error()}) // it may be gone
}

// refusalLimit bounds what telling a front that it is refused may take: the line fits into the buffer
// of a connection that nothing else was written to.
const refusalLimit = time.Second

// listen takes the front's messages until it is gone.
func (c *Conn) listen() {
	defer close(c.heard)
	for {
		m, files, err := Receive(c.conn)
		closeAll(files)
		var broken *os.SyscallError
		switch {
		case err != nil && (errors.Is(err, io.EOF) || errors.As(err, &broken) || errors.Is(err, os.ErrClosed)):
			c.lost()
			return
		case err != nil:
			c.lost() // whoever does not keep to the protocol is no front
			_ = c.conn.Close()
			return
		}
		c.take(m)
	}
}

func (c *Conn) take(m Message) {
	switch m.Type {
	case TypeSize:
		c.resize(m)
	case TypeSignal:
		if !asksForEnd(m.Signal) {
			return
		}
		select {
		case c.signals <- m.Signal:
		default: // nobody acts on so many
		}
	case TypeResumed, TypeEdited:
		c.resize(m)
		select {
		case c.answers <- m:
		default: // nobody has asked
		}
	}
}

// resize keeps the newest size. One of nothing is none.
func (c *Conn) resize(m Message) {
	if m.Width <= 0 || m.Height <= 0 {
		return
	}
	size := Size{m.Width, m.Height}
	for {
		select {
		case c.sizes <- size:
			return
		case <-c.sizes:
		}
	}
}

// lost runs when the front is gone without an end: the shell is about to write its prompt.
func (c *Conn) lost() {
	c.mu.Lock()
	ended, shown, bar := c.ended, c.shown, c.bar
	c.mu.Unlock()
	if !ended {
		c.before.RestoreSettings()
	}
	close(c.gone) // from here on the screen writes nothing
	if ended || !shown || len(c.files) < 2 {
		return
	}
	c.writing.Lock() // a terminal that nobody reads blocks this goroutine only
	defer c.writing.Unlock()
	tty.ResetModes(c.files[1], bar)
}

// Gone is closed when the front is gone.
func (c *Conn) Gone() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.gone
}

// Lost reports whether the front is gone.
func (c *Conn) Lost() bool {
	select {
	case <-c.Gone():
		return true
	default:
		return false
	}
}

// Sizes gives the newest size of the terminal whenever it changes.
func (c *Conn) Sizes() <-chan Size {
	if c == nil {
		return nil
	}
	return c.sizes
}

// Signals gives the numbers of the signals that the front was sent.
func (c *Conn) Signals() <-chan int {
	if c == nil {
		return nil
	}
	return c.signals
}

// Folder is where the front stands.
func (c *Conn) Folder() string { return c.attach.Folder }

// Environ are the variables of the front's terminal.
func (c *Conn) Environ() []string { return c.attach.Environ }

// longestHello limits the words of a hello, in runes: more than a line shows.
const longestHello = 500

// Hello says how the user of this front came to the session.
func (c *Conn) Hello() Hello {
	if c == nil || c.attach.Hello == nil {
		return Hello{}
	}
	hello := *c.attach.Hello
	hello.Words = words.CutLine(hello.Words, longestHello)
	return hello
}

// Write says a line to a person, as the io.Writer of standard error. A front that is gone hears
// nothing.
func (c *Conn) Write(text []byte) (int, error) {
	_ = Send(c.conn, Message{Type: TypeSay, Text: string(text)})
	return len(text), nil
}

// Shown says that the screen is about to be shown, over which session.
func (c *Conn) Shown(session string, bar bool) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.shown, c.bar = true, bar
	c.mu.Unlock()
	_ = Send(c.conn, Message{Type: TypeShown, Session: session, Bar: bar})
}

// Untidy notes that the screen may not have put the terminal's modes right: the front does so, at the end.
func (c *Conn) Untidy() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.untidy = true
}

// WasShown reports whether a screen was shown there, or about to be.
func (c *Conn) WasShown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown
}

// End gives the terminal back and releases it. The note goes to standard output; last says that the host ends too,
// for which the front waits. Only the first End or Go counts.
func (c *Conn) End(code int, note string, last bool) {
	c.finish(Message{Type: TypeEnd, Code: code, Text: note, Note: true, Last: last})
}

// Fail is End with an error in one line.
func (c *Conn) Fail(code int, why string) { c.finish(Message{Type: TypeEnd, Code: code, Text: why}) }

// Next is another session for a front.
type Next struct {
	Session string   // that a host may drive; empty: a new one
	Args    []string // the command line that opens it, if none does
	Folder  string   // where; empty: where the front stands
	Back    []string // the command line that opens this session again, if that fails
	Hello   Hello
}

// Go gives the terminal back for another session.
func (c *Conn) Go(to Next) {
	m := Message{Type: TypeGo, Session: to.Session, Args: to.Args, Folder: to.Folder, Back: to.Back}
	if to.Hello.Words != "" {
		m.Hello = &to.Hello
	}
	c.finish(m)
}

func (c *Conn) finish(m Message) {
	if c == nil {
		return
	}
	c.mu.Lock()
	ended := c.ended
	c.ended, m.Untidy = true, c.untidy
	c.mu.Unlock()
	if !ended {
		_ = Send(c.conn, m) // a front that is gone knows
		c.Close()
	}
}

// releaseLimit is how long Close waits for the terminal to be free: one that takes nothing never is.
const releaseLimit = 200 * time.Millisecond

// Close releases the terminal and the line, without a word: the front tries again, if it was told
// of no end and has shown nothing.
func (c *Conn) Close() {
	_ = c.conn.Close()
	free := make(chan struct{})
	go func() {
		defer close(free)
		c.release.Do(c.closeFiles)
	}()
	select {
	case <-free:
	case <-time.After(releaseLimit):
	}
}

// closeFiles closes the terminal once nobody puts it right or writes to it: its descriptor may be
// another file's a moment later.
func (c *Conn) closeFiles() {
	<-c.heard
	c.writing.Lock()
	defer c.writing.Unlock()
	closeAll(c.files)
}

// Suspend stops the front as a job of its shell, and returns when that goes on.
func (c *Conn) Suspend(ctx context.Context) error {
	return c.ask(ctx, Message{Type: TypeSuspend})
}

// Edit runs the user's editor on a file in Pawl's folder for state. The front does so: an editor needs
// the session of its terminal, and which program that is nobody but the front decides.
func (c *Conn) Edit(ctx context.Context, path string) error {
	return c.ask(ctx, Message{Type: TypeEdit, Path: path})
}

// ErrFrontGone: the process at the terminal ended while it was asked for something.
var ErrFrontGone = errors.New("the process at the terminal is gone")

func (c *Conn) ask(ctx context.Context, m Message) error {
	if err := Send(c.conn, m); err != nil {
		return ErrFrontGone
	}
	select {
	case answer := <-c.answers:
		if answer.Text != "" {
			return errors.New(answer.Text)
		}
		return nil
	case <-c.gone:
		return ErrFrontGone
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
