package ui

import (
	"bytes"
	"io"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// handover is the terminal of a screen that another one may follow. Once that is
// settled, leaving does not leave the alternate screen: the shell would be seen for
// as long as the one session closes and the other opens.
type handover struct {
	term.File
	follows *atomic.Bool
}

// Write writes all but the one sequence.
func (h handover) Write(text []byte) (int, error) {
	if !h.follows.Load() {
		return h.File.Write(text)
	}
	if _, err := h.File.Write(bytes.ReplaceAll(text, []byte(ansi.ResetModeAltScreenSaveCursor), nil)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// handOver makes the terminal of the options one that can be handed over. What is no
// terminal has nothing to hand over.
func (o Options) handOver(follows *atomic.Bool) Options {
	if file, ok := o.Out.(term.File); ok {
		o.Out = handover{file, follows}
	}
	return o
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
	if m.follows.Load() && (err != nil || e.Next == nil) && m.options.Out != nil {
		Release(m.options.Out)
	}
}

// Release leaves the alternate screen, where a screen was left for another that does
// not come.
func Release(out io.Writer) {
	_, _ = io.WriteString(out, ansi.ResetModeAltScreenSaveCursor) // a terminal that is gone needs none
}
