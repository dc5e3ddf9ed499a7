package terminal

import (
	"context"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Streams stand for the terminal of a program and its variables; nil for the real ones. Width and
// Height are for an Out that is no terminal.
type Streams struct {
	In            io.Reader
	Out           io.Writer
	Env           []string
	Width, Height int
}

// Options are those of a program on a terminal. It takes no signals: whoever owns the process does.
func (s Streams) Options(term Features) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithEnvironment(s.Env),
	}
	if s.In != nil {
		list = append(list, tea.WithInput(KeyboardOf(s.In, s.Env)))
	}
	if s.Out != nil {
		list = append(list, tea.WithOutput(s.Out))
	}
	if s.Width > 0 && s.Height > 0 {
		list = append(list, tea.WithWindowSize(s.Width, s.Height))
	}
	if !term.Colour {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	return list
}

// Of is where a screen is shown: out or, where that is nil, the process's own.
func Of(out io.Writer) io.Writer {
	if out != nil {
		return out
	}
	return os.Stdout
}

// stuck is how long the screen may take to leave once it is told to.
const stuck = time.Second

// Leave ends a program with ctx: in order, so that it reads its terminal to the end before it gives
// it back and, where it does not answer any more, by force. Closing left says that it has ended.
func Leave(ctx context.Context, program *tea.Program, left <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-left:
		return
	}
	go program.Quit() // it waits for the loop, which may be the one that hangs
	select {
	case <-left:
	case <-time.After(stuck):
		program.Kill()
	}
}

// Safely makes a command whose panic is a message, as crash has it.
func Safely(cmd tea.Cmd, crash func(what any) tea.Msg) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if what := recover(); what != nil {
				msg = crash(what)
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, one := range batch {
				batch[i] = Safely(one, crash)
			}
		}
		return msg
	}
}
