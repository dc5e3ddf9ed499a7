//go:build !windows

package served

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/lifecycle"
	"pawl/store"
)

func TestCallsSideBySideStartNoMoreThanTheMost(t *testing.T) {
	s := New(base.World{}, Options{})
	var all sync.WaitGroup
	var granted atomic.Int32
	for range 3 * maxLive {
		all.Go(func() {
			if s.reserve(t.Context()) == nil {
				granted.Add(1)
			}
		})
	}
	all.Wait()
	require.LessOrEqual(t, granted.Load(), int32(maxLive))
	require.Positive(t, granted.Load())
	s.starting = maxLive - 1
	require.NoError(t, s.reserve(t.Context()))
	require.ErrorContains(t, s.reserve(t.Context()), "20 sessions")
	require.Equal(t, maxLive, s.starting, "a refused call holds no place")
}

func TestASessionWhoseProcessDoesNotAnswerCountsAsOpen(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	l, err := hosted.Folder().Listen("root", func(int) error { return errors.New("this session has 64 connections already") })
	require.NoError(t, err)
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		_, _ = l.Accept(t.Context()) // until it is closed: it refuses all
	}()
	v := New(base.World{}, Options{}).look(t.Context(), started{id: "root"})
	require.Equal(t, []any{unreachable, true, false}, []any{v.Status, v.open(), v.works()})
	require.Equal(t, lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "this session has 64 connections already"}, *v.Error)
	require.Contains(t, v.Message, "does not answer")
	require.NoError(t, l.Close())
	<-accepting
}

// Said again it could stand in the session twice.
func TestAMessageThatAProcessTookAndDidNotAnswerIsNotSentAgain(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	l, err := hosted.Folder().Listen("root", func(int) error { return nil })
	require.NoError(t, err)
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		conn, err := l.Accept(t.Context())
		if err == nil {
			_, _, _ = conn.ReadLine()
			_ = conn.Close()
		}
		_ = l.Close()
	}()
	err = New(base.World{}, Options{}).say(t.Context(), started{id: "root", folder: t.TempDir()}, "look left too")
	<-killed
	require.ErrorIs(t, err, fleet.ErrUnanswered)
	require.ErrorContains(t, err, "has just ended; it may have been taken in")
}

func TestAModelThatAPersonChoseSinceStaysTheSessionsOwn(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir()}
	b, err := base.Open(t.Context(), w, store.Options{})
	require.NoError(t, err)
	defer b.Close()
	first := lifecycle.Record{Seq: 1, Time: time.Now(), Root: "root", Session: "root", Run: "p1", Event: lifecycle.Spawned{
		Spec: lifecycle.Spec{Root: "root", Trigger: lifecycle.TriggerUser, Folder: w.Folder, Model: "begun", Prompt: "do it"},
	}}
	require.NoError(t, b.Store.Append(t.Context(), []lifecycle.Change{{Records: []lifecycle.Record{first}}}))
	require.NoError(t, b.Store.SetSessionFact(t.Context(), "root", store.FactModel, "chosen"))
	one := started{id: "root", model: "begun", effort: "low"}
	require.NoError(t, New(w, Options{}).minusChosen(t.Context(), &one))
	require.Equal(t, started{id: "root", effort: "low"}, one)
}
