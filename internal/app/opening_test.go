package app

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/filestore"
	"pawl/ui"
)

// endless is a journal whose sessions take for ever to read.
type endless struct{ lifecycle.Journal }

func (endless) Load(ctx context.Context, _ lifecycle.SessionID) (lifecycle.Loaded, error) {
	<-ctx.Done()
	return lifecycle.Loaded{}, ctx.Err()
}

func TestWhoLeavesDoesNotWaitForALongSessionToBeRead(t *testing.T) {
	h := &Session{Root: "root", Supervisor: lifecycle.New(lifecycle.Options{Journal: endless{}})}
	h.Opening = h.begin(t.Context(), lifecycle.Spec{})
	require.False(t, h.Opening.ready())
	h.endRuns(lifecycle.CauseQuit)
	_, err := h.Opening.Wait(t.Context())
	require.ErrorIs(t, err, context.Canceled)
	_, err = Route{h}.Do(t.Context(), lifecycle.Send{Session: "root", Text: "too late"})
	require.ErrorIs(t, err, context.Canceled)
}

// opened is a session whose main agent says a lot, and then asks.
func opened(t *testing.T, db *store.Store, root lifecycle.SessionID) *Session {
	h := &Session{Root: root, Base: &base.Base{Store: db}, Files: filestore.New(t.TempDir()), Supervisor: lifecycle.New(lifecycle.Options{
		Journal: db, Limits: lifecycle.DefaultLimits(), Attended: true,
		Work: func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
			_, err := port.Step()
			for i := range 2 * FirstScreen {
				if err == nil {
					err = port.Record(nil, lifecycle.Text{Text: fmt.Sprint(i, "\n")})
				}
			}
			if err == nil {
				_, err = port.Ask(ctx, lifecycle.Question{Tool: "shell", Subject: "ls"})
			}
			return lifecycle.Outcome{Text: "answered", Err: err}
		},
	})}
	h.Opening = h.begin(t.Context(), lifecycle.Spec{})
	_, err := h.Opening.Wait(t.Context())
	require.NoError(t, err)
	return h
}

// comes is what a screen begins with that comes now.
func (h *Session) comes(t *testing.T) (o ui.Options) {
	require.NoError(t, h.Opened(t.Context(), &o))
	require.Nil(t, o.Open)
	return o
}

func TestAScreenBeginsWithTheSessionAsItIsWhenItComes(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	root := lifecycle.NewSessionID()
	h := opened(t, db, root)
	require.Zero(t, h.comes(t).Snapshot.Seq)
	_, err = h.Supervisor.Do(t.Context(), lifecycle.Send{Session: root, Text: "go"})
	require.NoError(t, err)
	var question lifecycle.QuestionID
	ctx, enough := context.WithCancel(t.Context())
	_ = h.Supervisor.Watch(ctx, root, 0, func(u lifecycle.Updates) {
		for _, rec := range u.Records {
			if asked, is := rec.Event.(lifecycle.PermissionAsked); is {
				question = asked.ID
				enough()
			}
		}
	})

	o := h.comes(t)
	require.Len(t, o.Tail, FirstScreen)
	require.Equal(t, o.Snapshot.Seq, o.Tail[FirstScreen-1].Seq)
	require.Zero(t, o.OpenedAt)
	require.Equal(t, question, lifecycle.NewLedger(o.Snapshot).Questions()[0].ID)
	_, err = h.Supervisor.Do(t.Context(), lifecycle.Resolve{Question: question, Answer: lifecycle.Answer{Allow: true}})
	require.NoError(t, err)
	ctx, enough = context.WithCancel(t.Context())
	newest := o.Snapshot.Seq
	_ = h.Supervisor.Watch(ctx, root, newest, func(u lifecycle.Updates) {
		for _, rec := range u.Records {
			require.Equal(t, newest+1, rec.Seq, "what came before it is not told again")
			newest = rec.Seq
			if _, ended := rec.Event.(lifecycle.Ended); ended {
				enough()
			}
		}
	})
	require.Empty(t, lifecycle.NewLedger(h.comes(t).Snapshot).Questions())
	require.NoError(t, h.Supervisor.Close(t.Context(), lifecycle.CauseQuit))

	h = opened(t, db, root)
	require.Equal(t, newest, h.comes(t).OpenedAt)
	_, err = h.Supervisor.Do(t.Context(), lifecycle.Send{Session: root, Text: "go"})
	require.NoError(t, err)
	o = h.comes(t)
	require.Equal(t, newest, o.OpenedAt)
	require.Greater(t, o.Snapshot.Seq, newest)
	require.NoError(t, h.Supervisor.Close(t.Context(), lifecycle.CauseQuit))
}

func TestTheEndOfASessionDoesNotWaitForeverForFilesToBeDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deleted := make(chan struct{})
		defer close(deleted)
		began := time.Now()
		waitShortly(func() { <-deleted })
		require.Equal(t, closeLimit, time.Since(began))
	})
}
