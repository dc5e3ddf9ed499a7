package terminal

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"
)

// Lend gives the terminal away while use runs: the screen has let go of it and is drawn anew
// afterwards. Nothing of this program is updated meanwhile. Then the message that done makes of an
// error is sent.
func (o *Output) Lend(use func() error, done func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		o.Settle()
		return tea.Exec(lent(func() error {
			o.settle(false)
			return use()
		}), func(err error) tea.Msg {
			o.settle(false) // it may not have been lent
			return done(err)
		})()
	}
}

// LendUntil is Lend to somebody who may keep it: when ctx has ended the terminal is theirs.
func (o *Output) LendUntil(ctx context.Context, use func(context.Context) error, done func(error) tea.Msg) tea.Cmd {
	return o.Lend(func() error {
		err := use(ctx)
		if ctx.Err() != nil {
			o.GiveUp()
		}
		return err
	}, done)
}

// lent is whatever has the terminal now. It takes no streams from Bubble Tea: it has its own.
type lent func() error

// Run implements tea.ExecCommand, as the next three do.
func (use lent) Run() error { return use() }

// SetStdin does nothing.
func (lent) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (lent) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (lent) SetStderr(io.Writer) {}
