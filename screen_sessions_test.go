package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/gittest"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// What cannot be opened, although it could a moment ago, leads back to where one was.
func TestASessionThatCannotBeOpenedLeadsBack(t *testing.T) {
	s := set(t, anthropicProtocol(), func(heard) reply { return say("Here I am.") })
	t.Setenv("PAWL_HOME", s.home)
	here, errs, code := s.prompted(t, "-p", "here")
	require.Equal(t, 0, code, errs)
	there, errs, code := s.prompted(t, "-p", "there")
	require.Equal(t, 0, code, errs)
	w := base.World{Folder: s.dir, Environ: s.env, Out: io.Discard, Err: io.Discard}
	c := app.Options{Session: here.Session, Model: s.model}
	h, err := openScreen(t.Context(), w, c, ui.Hello{})
	require.NoError(t, err)
	h.Choices.SetMode("plan")
	to := lifecycle.SessionID(there.Session)
	require.NoError(t, h.openable(t.Context(), to))

	b, err := store.Open(t.Context(), s.database(), store.Options{})
	require.NoError(t, err)
	release, err := b.Lock(to)
	require.NoError(t, err)
	require.ErrorContains(t, h.openable(t.Context(), to), "another Pawl has it open")
	h, err = h.follow(t.Context(), c, ui.Ending{Cause: lifecycle.CauseQuit, Next: &ui.Next{Session: to}})
	require.NoError(t, err)
	require.Equal(t, here.Session, string(h.Root))
	require.True(t, h.hello.Trouble)
	require.Contains(t, h.hello.Words, "not opened: another Pawl")
	require.Equal(t, "plan", string(h.Choices.Mode()), "it is as it was left")

	release()
	require.NoError(t, b.Close())
	h, err = h.follow(t.Context(), c, ui.Ending{Cause: lifecycle.CauseQuit, Next: &ui.Next{Session: to}})
	require.NoError(t, err)
	require.Equal(t, there.Session, string(h.Root))
	require.Empty(t, h.hello.Words)
	h.Close(lifecycle.CauseQuit)
}

func TestWhatWasAllowedInAFolderDoesNotGoAlongToAnother(t *testing.T) {
	s := set(t, anthropicProtocol(), func(heard) reply { return say("Here I am.") })
	t.Setenv("PAWL_HOME", s.home)
	_, errs, code := s.prompted(t, "-p", "here")
	require.Equal(t, 0, code, errs)
	elsewhere := gittest.Checkout(t)
	w := base.World{Folder: elsewhere, Environ: s.env, Out: io.Discard, Err: io.Discard}
	c := app.Options{Trust: true, Model: s.model, Mode: "bypass"}
	h, err := openScreen(t.Context(), w, c, ui.Hello{})
	require.NoError(t, err)
	defer func() { h.Close(lifecycle.CauseQuit) }()
	found, err := h.listSessions(t.Context(), false)
	require.NoError(t, err)
	require.Empty(t, found, "of this folder")
	found, err = h.listSessions(t.Context(), true)
	require.NoError(t, err)
	require.Len(t, found, 1)
	next, back, err := h.ways(t.Context(), c, ui.Next{Session: found[0].ID})
	require.NoError(t, err)
	require.Equal(t, s.dir, next.world.Folder)
	require.False(t, next.options.Trust)
	require.Empty(t, next.options.Mode)
	require.Equal(t, elsewhere, back.world.Folder)
	require.True(t, back.options.Trust)
	require.Equal(t, "bypass", back.options.Mode)
}
