package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"pawl/ui/terminal"
)

// Prepare makes what the first frame needs and what takes long, 1.5 ms for the table of
// the letters' widths. Run would do it itself, while somebody waits for the frame.
func Prepare() { ansi.StringWidthWc("›") }

// Run shows the screen until the user leaves it or ctx ends, and says how the
// user wants it to end. It takes no signals: whoever owns the process does, and
// cancels ctx. When it returns, the terminal is as it was and no goroutine of
// the screen is left.
func Run(ctx context.Context, options Options) (ending Ending, err error) {
	if options.Env == nil {
		options.Env = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, options, terminal.ReadFeatures(options.Env), options.now())
	m.out = options.output()
	defer func() {
		m.handedOver(ending, err)
		_ = m.out.Close()
	}()
	defer m.seat.Leave()
	var program *tea.Program
	var watching sync.WaitGroup
	left := make(chan struct{})
	quits := sync.OnceFunc(func() {
		m.out.Settle()
		watching.Go(func() { terminal.Drain(program, left) })
	})
	pace, sizes := terminal.NewPace(m.out), &terminal.Sizes{}
	filter := tea.WithFilter(func(program tea.Model, msg tea.Msg) tea.Msg {
		if _, is := msg.(tea.QuitMsg); is {
			quits()
		}
		return pace.Filter(program, sizes.Filter(msg))
	})
	program = tea.NewProgram(m, append(programOptions(options, m), filter)...)

	var unopened error // of Options.Open
	if pace.Take(program) {
		watching.Go(func() { pace.Run(ctx, program.Send) })
	}
	watching.Go(func() { unopened = options.watch(ctx, program) })
	watching.Go(func() { m.hear(ctx, program.Send) })
	if options.Sizes != nil {
		watching.Go(func() { sizes.Follow(ctx, options.Sizes, program.Send) })
	}
	if options.Health != nil {
		watching.Go(func() { options.Health(ctx, func(words string) { program.Send(healthWarning(words)) }) })
	}
	watching.Go(func() { m.endWith(ctx, program, left) })
	_, err = program.Run()
	if err == nil { // else it may read nothing any more
		_, _ = io.WriteString(m.terminal(), terminal.SchemeReportsOff)
	} else { // it has not waited for its reader
		quits()
		<-time.After(parting)
	}
	ended := ctx.Err() != nil
	close(left)
	cancel()
	watching.Wait()
	if save := m.saveDraft(); save != nil { // what the clock would have kept a moment later
		save()
	}
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return Ending{}, nil
	case unopened != nil:
		return Ending{}, unopened
	}
	return m.verdict(err)
}

// verdict is how a screen has ended that nothing else has.
func (m *model) verdict(err error) (Ending, error) {
	gone := m.out.IsGone() || errors.Is(err, syscall.EIO)
	switch {
	case gone && m.ending == (Ending{}):
		return Ending{}, fmt.Errorf("show the screen: %w", ErrTerminalGone)
	case err != nil && !gone:
		return Ending{}, fmt.Errorf("show the screen: %w", err)
	case m.crash.what != nil:
		return Ending{}, m.crash
	}
	return m.ending, nil
}

// watch opens the session, and follows it until ctx ends. An error is why it could not be opened.
func (o Options) watch(ctx context.Context, program *tea.Program) error {
	opened, err := Opened{Snapshot: o.Snapshot}, error(nil)
	if open := o.Open; open != nil {
		if opened, err = open(ctx); err != nil {
			if ctx.Err() != nil { // its user has left already
				return nil
			}
			program.Quit()
			return err
		}
		program.Send(opened)
	}
	err = o.follow(ctx, opened.Snapshot, program.Send)
	if err != nil && ctx.Err() == nil {
		program.Send(terminal.WatchEnded{Err: err})
	}
	return nil
}

// ErrTerminalGone is why a screen has ended whose terminal was closed, or whose line was dropped.
var ErrTerminalGone = terminal.ErrGone

// parting is how long the reader of a program that was ended by force may take to end.
const parting = 50 * time.Millisecond

// stuck is how long the screen may take to leave once it is told to.
const stuck = time.Second

// endWith ends the program with ctx, or with its terminal: in order, so that it reads its terminal
// to the end before it gives it back and, where it does not answer any more, by force.
func (m *model) endWith(ctx context.Context, program *tea.Program, left <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-m.out.Gone():
	case <-left:
		return
	}
	go program.Quit() // it waits for the loop, which may be the one that hangs
	select {
	case <-left:
	case <-time.After(stuck):
		m.out.Settle()
		program.Kill()
	}
}

// output is the terminal of the options; nil where they have none.
func (o Options) output() *terminal.Output {
	if o.Out == nil {
		return terminal.NewOutput(os.Stdout)
	}
	if file, ok := o.Out.(term.File); ok {
		return terminal.NewOutput(file)
	}
	return nil
}

// terminal is where the screen is shown. A real terminal can be handed over to the next screen.
func (m *model) terminal() io.Writer {
	if m.out != nil {
		return terminal.NewHandover(m.out, &m.follows)
	}
	return m.options.Out
}

func programOptions(options Options, m *model) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithEnvironment(options.Env), tea.WithOutput(m.terminal()),
	}
	if options.In != nil {
		list = append(list, tea.WithInput(terminal.KeyboardOf(options.In, options.Env, m.out)))
	}
	if options.Width > 0 && options.Height > 0 {
		list = append(list, tea.WithWindowSize(options.Width, options.Height))
	}
	if !m.term.Colour {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	return list
}

// end ends the screen, and settles whether another one follows.
func (m *model) end(e Ending) tea.Cmd {
	m.ending = e
	m.follows.Store(e.Next != nil)
	return tea.Quit
}

// handedOver follows the end of the screen. Where no other comes after all, as when a
// signal came meanwhile, the terminal is given back.
func (m *model) handedOver(e Ending, err error) {
	if !m.follows.Load() || err == nil && e.Next != nil {
		return
	}
	if m.follows.Store(false); m.terminal() != nil {
		terminal.Release(m.terminal())
	}
}
