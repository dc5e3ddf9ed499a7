//go:build !windows

package front

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/tools/process"
)

// line is the connection to one host.
type line struct {
	*front
	conn     *socket.Conn
	guard    *child // of the host, if this front has started it
	session  string // that it drives
	attached target
	shown    bool // on this line

	asked     int              // signals that asked for the end
	signalled int              // the last of them
	insist    <-chan time.Time // when the host has had its time
	edited    chan error       // nil while no editor has the terminal
	others    time.Time        // until then Ctrl+C was meant for who had the terminal before: the editor, the shell
}

// outcome is how the time with one host ended.
type outcome struct {
	code    int
	text    string
	note    bool // the text is no error
	inOrder bool // the host has put the terminal's modes right
	next    *target
	retry   bool // the host was gone before it showed anything
}

// serve does what the host asks until it says that this is the end, or is gone.
func (l *line) serve() outcome {
	messages := make(chan handover.Message)
	done := make(chan struct{})
	defer close(done)
	go l.receive(messages, done)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	silent := time.After(silence)
	for {
		select {
		case <-silent:
			l.tellSilence()
		case m, more := <-messages:
			if !more {
				return l.lost()
			}
			if out, over := l.take(ctx, m); over {
				if m.Last {
					l.awaitEnd(messages)
				}
				return out
			}
		case s := <-l.signals:
			if out, over := l.signal(s); over {
				return out
			}
		case err := <-l.edited:
			l.editorEnded(err)
		case <-l.insist:
			return outcome{code: handover.ExitCode(l.signalled), text: "the session's process does not answer: pawl ps says whether it goes on"}
		}
	}
}

// silence is how long a host may take to show something before its user is told who is waited for.
const silence = 3 * time.Second

// tellSilence says that a host that runs already shows nothing: it may have been stopped.
func (l *line) tellSilence() {
	if !l.front.shown && l.guard == nil {
		l.tell(fmt.Sprintf("process %d, which has this session open, does not answer yet; ctrl+c gives up", l.conn.Peer()))
	}
}

// receive passes on what the host says until it is gone.
func (l *line) receive(to chan<- handover.Message, done <-chan struct{}) {
	defer close(to)
	for {
		m, files, err := handover.Receive(l.conn)
		for _, file := range files {
			file.Close() // a host lends nothing
		}
		if err != nil {
			return
		}
		select {
		case to <- m:
		case <-done:
			return
		}
	}
}

func (l *line) take(ctx context.Context, m handover.Message) (out outcome, over bool) {
	switch m.Type {
	case handover.TypeShown:
		l.shown, l.front.shown, l.bar = true, true, l.bar || m.Bar
		l.session = m.Session
		guard.ReleaseSoon() // what is left to do needs little of it
	case handover.TypeSay:
		if l.front.shown {
			l.keep(m.Text)
		} else {
			l.say(m.Text)
		}
	case handover.TypeSuspend:
		l.suspend()
	case handover.TypeEdit:
		l.edit(ctx, m)
	case handover.TypeGo:
		if l.shown && (l.session != "" || m.Back != nil) {
			l.back = &target{session: l.session, args: m.Back, folder: l.attached.folder}
		}
		if !opensSession(m.Args) || !opensSession(m.Back) {
			return outcome{code: system.ExitError, text: "the session's process asked to open another session with arguments this version of Pawl does not accept"}, true
		}
		l.untidy = l.untidy || m.Untidy
		return outcome{next: &target{session: m.Session, args: m.Args, folder: m.Folder, hello: m.Hello}, inOrder: true}, true
	case handover.TypeRefused:
		return outcome{code: system.ExitError, text: m.Error}, true
	case handover.TypeEnd:
		return outcome{code: exitCode(m.Code), text: m.Text, note: m.Note, inOrder: m.Note && !m.Untidy && l.shown}, true
	}
	return out, false
}

// awaitEnd waits until the host, and the guard that this front may have started, are gone: what
// they did is then done.
func (l *line) awaitEnd(messages <-chan handover.Message) {
	limit := time.After(endLimit)
	ended := make(<-chan struct{})
	if l.guard != nil {
		ended = l.guard.ended
	}
	for {
		select {
		case _, more := <-messages:
			if !more && l.guard == nil {
				return
			}
			if !more {
				messages = nil
			}
		case <-ended:
			return
		case <-limit:
			return
		}
	}
}

// lost is the outcome when the host is gone without a word.
func (l *line) lost() outcome {
	switch {
	case l.asked > 0:
		return outcome{code: handover.ExitCode(int(syscall.SIGHUP))}
	case !l.shown && l.guard == nil:
		return outcome{retry: true}
	}
	code := system.ExitError
	if l.guard != nil {
		<-l.guard.ended
		code = max(l.guard.code, system.ExitError)
	}
	text := "the session's process is gone"
	if l.session != "" {
		text += "; what was recorded is saved: pawl attach " + l.session
	}
	return outcome{code: code, text: text}
}

// signal passes a signal on. A host that does not answer is not waited for. Until the host has the
// terminal Ctrl+C is a signal too, of somebody who sees nothing yet that they could stop: they give up.
func (l *line) signal(s os.Signal) (out outcome, over bool) {
	number, ok := s.(syscall.Signal)
	switch {
	case !ok:
	case number == syscall.SIGWINCH:
		width, height := l.size()
		_ = handover.Send(l.conn, handover.Message{Type: handover.TypeSize, Width: width, Height: height}) // a host that is gone is noticed by receive
	case number == syscall.SIGINT && (l.edited != nil || time.Now().Before(l.others)): // it was meant for the editor, or the shell
	case number == syscall.SIGINT && l.shown && l.terminals.InLineMode(): // the screen is about to be up, or up again
	case number == syscall.SIGINT && !l.shown && l.guard == nil:
		l.asked++
		return outcome{code: handover.ExitCode(int(number))}, true
	default:
		l.signalled = int(number)
		switch l.asked++; {
		case l.asked == 1:
			l.insist = time.After(askedLimit)
		case number != syscall.SIGHUP: // a closed terminal sends that more than once
			l.insist = time.After(insistLimit)
		}
		_ = handover.Send(l.conn, handover.Message{Type: handover.TypeSignal, Signal: int(number)})
	}
	return out, false
}

// stopping is how long a job that was told to stop may go on before that counts as a refusal: a
// process group without a shell above it is not stopped.
const stopping = 200 * time.Millisecond

// suspend stops this process as its shell's job. The host has put the terminal's modes right.
func (l *line) suspend() {
	l.terminals.Restore()
	ctx, cancel := context.WithTimeout(context.Background(), stopping)
	defer cancel()
	err := system.Suspend(ctx)
	l.others = time.Now().Add(guard.SameSignal)
	l.answer(handover.TypeResumed, err)
}

// edit gives the terminal to the user's editor. Which program that is the variables of this process
// say, and what it opens is a file of Pawl's: a host decides neither.
func (l *line) edit(ctx context.Context, m handover.Message) {
	if l.edited != nil { // it has the terminal
		return
	}
	command := process.EditorCommand(os.Getenv)
	switch {
	case command == "":
		l.answer(handover.TypeEdited, errors.New("there is no editor: set VISUAL or EDITOR to yours"))
		return
	case !handover.Editable(stateFolder(), m.Path):
		l.answer(handover.TypeEdited, errors.New("the editor opens only what Pawl keeps for it"))
		return
	}
	l.edited = make(chan error, 1)
	editor := process.Editor{Command: command, Folder: l.attached.folder, Environ: os.Environ(), In: l.in, Out: l.out}
	go func() { l.edited <- editor.Edit(ctx, m.Path) }()
}

func (l *line) editorEnded(err error) {
	l.edited = nil
	l.others = time.Now().Add(guard.SameSignal) // the Ctrl+C that ended it may be still on its way here
	l.answer(handover.TypeEdited, err)
}

// answer says that what the host has asked for is over.
func (l *line) answer(as string, err error) {
	m := handover.Message{Type: as}
	m.Width, m.Height = l.size()
	if err != nil {
		m.Text = err.Error()
	}
	_ = handover.Send(l.conn, m)
}

// size is the terminal's, in cells; 0 where there is none.
func (f *front) size() (width, height int) {
	width, height, err := term.GetSize(f.out.Fd())
	if err != nil {
		return 0, 0
	}
	return width, height
}
