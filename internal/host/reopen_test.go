package host

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
)

func TestAScreenThatWasGivenUpMayEndLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck, quick := &screen{}, &screen{}
		h := &host{session: &app.Session{Root: "0123456789"}, departed: make(chan departure), screens: map[*screen]context.CancelCauseFunc{stuck: func(error) {}}}
		h.screens[quick] = func(error) { go func() { h.departed <- departure{screen: quick} }() }
		require.Len(t, h.takeScreens(), 1)
		require.Empty(t, h.screens)
		h.leave(departure{screen: stuck}) // its terminal has taken all at last
	})
}
