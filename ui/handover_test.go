package ui

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/ui/terminal"
)

// memoryTerminal is a terminal that keeps what is written on it.
type memoryTerminal struct{ bytes.Buffer }

func (*memoryTerminal) Close() error { return nil }
func (*memoryTerminal) Fd() uintptr  { return ^uintptr(0) }

func TestTheAlternateScreenIsHandedOverOrGivenBack(t *testing.T) {
	const words = "one" + ansi.ResetModeAltScreenSaveCursor + "two"
	p, follows := &memoryTerminal{}, &atomic.Bool{}
	out := terminal.NewHandover(p, follows)
	for _, on := range []bool{false, true} {
		follows.Store(on)
		n, err := out.Write([]byte(words))
		require.NoError(t, err)
		require.Equal(t, len(words), n)
	}
	require.Equal(t, words+"onetwo", p.String())

	for _, end := range []struct {
		ending Ending
		err    error
		back   bool
	}{
		{Ending{Next: &Next{}}, nil, false},
		{Ending{Next: &Next{}}, errors.New("no terminal"), true},
		{Ending{}, nil, true}, // a signal came
	} {
		s := newScreen(t, 80, 24)
		s.switchSession(Next{})
		require.Equal(t, end.back, s.givesBack(end.ending, end.err))
	}
}
