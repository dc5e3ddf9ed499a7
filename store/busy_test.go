package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
	lc "pawl/lifecycle"
)

// playHold keeps the write lock until the test lets go.
func playHold(path string) error {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	held, err := s.begin(context.Background())
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return held.Rollback()
}

// held is a store whose database another process keeps, and how that lets go.
func held(t *testing.T, options Options) (s *Store, letGo func()) {
	path := file(t)
	s = open(t, path, options)
	holder := start(t, "hold", path)
	return s, func() {
		require.NoError(t, holder.in.Close())
		require.Empty(t, holder.rest())
		require.NoError(t, holder.Wait())
	}
}

func TestAShortWaitForAnotherProcessIsNotWorthAWord(t *testing.T) {
	s, letGo := held(t, Options{busy: time.Minute, Waiting: func(time.Duration) { t.Error("told") }})
	written := make(chan error)
	go func() { written <- s.SetFact(t.Context(), "a", "b") }()
	letGo()
	require.NoError(t, <-written)
}

func TestAWriteWaitsForAnotherProcessAndSaysSo(t *testing.T) {
	told := make(chan time.Duration, 1000)
	s, letGo := held(t, Options{busy: 100 * time.Millisecond, Waiting: func(waited time.Duration) { told <- waited }})
	written := make(chan error)
	go func() { written <- s.SetFact(t.Context(), "a", "b") }()
	require.Positive(t, <-told)
	require.Positive(t, <-told, "and goes on saying so")
	letGo()
	require.NoError(t, <-written)
}

func TestAWriteGivesUpAfterAWhile(t *testing.T) {
	s, letGo := held(t, Options{busy: 10 * time.Millisecond, maxWait: 50 * time.Millisecond})
	err := s.SetFact(t.Context(), "a", "b")
	require.ErrorIs(t, err, ErrBusy)
	require.EqualError(t, err, "remember the fact a: another process keeps the database busy: end it, or try again later ("+s.path+")")
	s.options.maxWait = time.Minute // or it may be over before the context is
	impatient, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.SetFact(impatient, "a", "b"), context.DeadlineExceeded)
	_, err = s.Sessions(t.Context(), Filter{})
	require.NoError(t, err, "who reads waits for nobody")
	letGo()
	require.NoError(t, s.SetFact(t.Context(), "a", "b"))
}

// rounds is how many runs each process of a crowd plays.
func rounds() int {
	if soaktest.Wanted() {
		return 500
	}
	return 10
}

// playCrowd plays a session of its own: each run is spawned, works, ends and is
// told of, and its records are read back.
func playCrowd(path string) error {
	s, err := Open(context.Background(), path, Options{Waiting: func(waited time.Duration) { fmt.Println("waited for", waited) }})
	if err != nil {
		return err
	}
	root := lc.NewSessionID()
	release, err := s.Lock(root)
	if err != nil {
		return err
	}
	defer release()
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil { // all at once
		return err
	}
	j := newJournal(alone{}, root).parent().into(s)
	for n := range rounds() {
		name := fmt.Sprint(n)
		j.child(name).into(s).mark(j.session(name), j.id(name), lc.StepStarted{Step: 1}, piece).into(s).owed(name).into(s)
		notice := entry(root, j.id("p1"), lc.EntryNotification, "completed")
		notice.Source = j.id(name)
		j.mark(j.session(name), j.id(name), lc.NotificationDelivered{InRun: j.id("p1"), Step: n}, lc.Consumed{By: lc.ByNotification, InRun: j.id("p1")}).say(notice).into(s)
		if records, err := s.Records(context.Background(), root, 0, 0); err != nil || len(records) != len(j.records) {
			return fmt.Errorf("%d of %d records: %w", len(records), len(j.records), err)
		}
	}
	fmt.Println(root, len(j.records))
	return s.Close()
}

// alone stands for a test where there is none: in another process.
type alone struct{ testing.TB }

func (alone) Helper() {}

func (alone) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (alone) FailNow() { panic("failed") }

func TestTenProcessesShareADatabaseAndNoneIsTooBusy(t *testing.T) {
	path := file(t)
	s := open(t, path)
	crowd := make([]*actor, 10)
	for i := range crowd {
		crowd[i] = start(t, "crowd", path)
	}
	for _, a := range crowd {
		require.NoError(t, a.in.Close())
	}
	for _, a := range crowd {
		lines := a.rest()
		require.NoError(t, a.Wait(), "%v", lines)
		var root string
		var count int
		_, err := fmt.Sscan(lines[len(lines)-1], &root, &count)
		require.NoError(t, err, "%v", lines)
		records, err := s.Records(t.Context(), lc.SessionID(root), 0, 0)
		require.NoError(t, err)
		require.Len(t, records, count)
	}
	sessions, err := s.Sessions(t.Context(), Filter{RootsOnly: true})
	require.NoError(t, err)
	require.Len(t, sessions, len(crowd))
	require.NoError(t, s.Check(t.Context()))
}
