package lifecycle

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// enclosing attaches to each text its own length, which takes a minute of reading.
func enclosing(o *Options) {
	o.Attach = func(ctx context.Context, run Run, text string, _ []string) Attached {
		select {
		case <-time.After(time.Minute):
		case <-ctx.Done():
		}
		return Attached{Enclosures: []Enclosure{{Attachment{Name: string(run.Session), Note: text}, json.RawMessage(`"` + strings.ToUpper(text) + `"`)}}}
	}
}

func TestWhatAMessageNamesGoesWithItAndIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, enclosing)
		defer st.sound()
		defer st.close()
		entries := make(chan []Entry, 2)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			pass(time.Hour)
			taken, err := port.Step()
			entries <- taken
			return Outcome{Text: "ok", Err: err}
		})
		run := st.say("go")
		require.Equal(t, []Attachment{{Name: "root", Note: "go"}}, run.Attached)
		synctest.Wait()
		for _, entry := range st.journal.entries {
			require.JSONEq(t, `{"from":"user","text":"go","attached":[{"name":"root","note":"go","body":"GO"}]}`, string(entry.Body))
		}
		sent := st.do(Send{Session: root, Text: "and this"})
		pass(2 * time.Hour)
		taken := <-entries
		require.JSONEq(t, `{"from":"user","message":"`+string(sent.Message)+`","text":"and this","attached":[{"name":"root","note":"and this","body":"AND THIS"}]}`, string(taken[0].Body))
		synctest.Wait()
		var records []Attachment
		for _, rec := range st.journal.records {
			if e, ok := rec.Event.(MessageTaken); ok {
				records = append(records, e.Attached...)
			}
		}
		require.Equal(t, []Attachment{{Name: "root", Note: "and this"}}, records)
	})
}

// A message that waits is read when it is taken in, and then alone.
func TestAMessageToABusySessionIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read []string
		st := newStage(t, func(o *Options) {
			o.Attach = func(_ context.Context, _ Run, text string, reach []string) Attached {
				read = append(read, text+" "+strings.Join(reach, " "))
				return Attached{}
			}
		})
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			pass(time.Hour)
			_, err := port.Step()
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		first := st.do(Send{Session: root, Text: "one", Reach: []string{"/a"}})
		st.do(Send{Session: root, Text: "two", Reach: []string{"/b"}})
		st.do(EditMessage{Session: root, Message: first.Message, Text: "uno", Reach: []string{"/c"}})
		pass(2 * time.Hour)
		synctest.Wait()
		require.Equal(t, []string{"go ", "uno /c", "two /b"}, read)
	})
}

func TestWhatComesWhileAMessageIsReadIsReadToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, enclosing)
		defer st.sound()
		defer st.close()
		entries := make(chan []Entry, 2)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			pass(time.Hour)
			taken, err := port.Step()
			entries <- taken
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		st.do(Send{Session: root, Text: "one"})
		st.do(Send{Session: root, Text: "two"})
		pass(time.Hour + 30*time.Second) // the first is being read
		st.do(Send{Session: root, Text: "three"})
		taken := <-entries
		require.Len(t, taken, 3)
		require.Contains(t, string(taken[2].Body), `"THREE"`)
	})
}

func TestOnlyThePersonsMessagesAreReadForNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, enclosing)
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			run, err := launch(port, "dig", true)
			if err != nil {
				return Outcome{Err: err}
			}
			_, err = port.Scope().Send(run.Session, "@secret", "call")
			return Outcome{Text: "sent", Err: err}
		})
		st.on("dig", func(_ context.Context, port *Port) Outcome {
			pass(time.Hour)
			_, err := port.Step()
			return Outcome{Text: "dug", Err: err}
		})
		st.say("go")
		pass(3 * time.Hour)
		synctest.Wait()
		require.Empty(t, st.child("dig").Attached)
		for _, rec := range st.journal.records {
			if e, ok := rec.Event.(MessageTaken); ok {
				require.Empty(t, e.Attached, e.Text)
			}
		}
		again := st.do(Send{Session: st.child("dig").Session, Text: "dig on"}).Runs[0]
		require.Equal(t, []Attachment{{Name: string(again.Session), Note: "dig on"}}, again.Attached)
	})
}

func TestAStopDoesNotWaitForAReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, enclosing)
		defer st.sound()
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			pass(time.Hour)
			_, err := port.Step()
			return Outcome{Text: "ok", Err: err}
		})
		run := st.say("go")
		st.do(Send{Session: root, Text: "and this"})
		pass(time.Hour + 10*time.Second)
		st.do(Stop{Session: root, Cause: CauseKey})
		asked := time.Now()
		<-st.done(run.ID)
		require.Zero(t, time.Since(asked))
	})
}

// readingUntil reads the files of a message that says so until the channel is closed, and those of others at once.
func readingUntil(until <-chan struct{}) func(*Options) {
	return func(o *Options) {
		o.Attach = func(_ context.Context, _ Run, text string, _ []string) Attached {
			if text == "slow" {
				<-until
			}
			return Attached{}
		}
	}
}

func TestAMessageWhoseFilesAreReadIsNotOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, end := make(chan struct{}), make(chan struct{})
		st := newStage(t, readingUntil(read))
		defer st.sound()
		defer st.close()
		st.on("slow", released(end))
		var sent sync.WaitGroup
		var first, third Reply
		sent.Go(func() { first = st.do(Send{Session: root, Text: "slow"}) })
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		sent.Go(func() {
			_, err := st.s.Do(ctx, Send{Session: root, Text: "of a screen that is closed"})
			require.ErrorIs(t, err, context.Canceled)
		})
		synctest.Wait()
		sent.Go(func() { third = st.do(Send{Session: root, Text: "and this"}) })
		synctest.Wait()
		leave()
		synctest.Wait()
		require.Empty(t, st.runs(), "nobody takes the place of the one who left")
		close(read)
		sent.Wait()
		require.Equal(t, "slow", first.Runs[0].Prompt)
		require.Equal(t, first.Runs[0].ID, third.Runs[0].ID)
		require.NotEmpty(t, third.Message, "it waits for that run's next step")
		close(end)
		<-st.done(first.Runs[0].ID)
	})
}

func TestAMessageKeepsItsPlaceWhereARunBeginsMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, dug, end := make(chan struct{}), make(chan struct{}), make(chan struct{})
		st := newStage(t, readingUntil(read))
		defer st.sound()
		defer st.close()
		st.on("go", launching("dig"))
		st.on("dig", released(dug))
		st.on("", released(end)) // woken by the end of that
		<-st.done(st.say("go").ID)
		var sent sync.WaitGroup
		sent.Go(func() { st.do(Send{Session: root, Text: "slow"}) })
		synctest.Wait()
		close(dug)
		pass(time.Minute)
		require.Equal(t, StateRunning, st.runs()[2].State)
		sent.Go(func() { st.do(Send{Session: root, Text: "and this"}) })
		synctest.Wait()
		close(read)
		sent.Wait()
		var queued []string
		for _, rec := range st.journal.records {
			if e, is := rec.Event.(MessageQueued); is {
				queued = append(queued, e.Text)
			}
		}
		require.Equal(t, []string{"slow", "and this"}, queued)
		close(end)
		<-st.done(st.runs()[2].ID)
	})
}

// A stop reaches those too that wait behind the one whose files are being read.
func TestAStopReachesAllThatAreUnsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) {
			o.Attach = func(ctx context.Context, _ Run, _ string, _ []string) Attached {
				<-ctx.Done()
				return Attached{}
			}
		})
		defer st.sound()
		defer st.close()
		var sent sync.WaitGroup
		for _, text := range []string{"one", "two", "three"} {
			sent.Go(func() {
				_, err := st.s.Do(t.Context(), Send{Session: root, Text: text})
				require.ErrorIs(t, err, errStoppedUnsent)
			})
			synctest.Wait()
		}
		st.do(Stop{Session: root, Cause: CauseKey})
		sent.Wait()
		require.Empty(t, st.runs())
	})
}

// What a typed command asks of its run holds for that run and its subagents, and not for the next.
func TestAMessageMayNarrowTheRunThatItStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) {
			o.Attach = func(_ context.Context, run Run, text string, _ []string) Attached {
				if text != "/narrow" {
					return Attached{}
				}
				return Attached{Model: "other/model", Allowed: []string{"read(*)"}}
			}
		})
		defer st.sound()
		defer st.close()
		st.on("/narrow", launching("dig"))
		st.say("/narrow")
		synctest.Wait()
		st.say("go")
		synctest.Wait()
		runs := st.runs()
		require.GreaterOrEqual(t, len(runs), 3)
		require.Equal(t, []string{"read(*)"}, runs[0].Allowed)
		require.Equal(t, "other/model", runs[0].Model)
		require.Equal(t, []string{"read(*)"}, runs[1].Allowed, "its subagent")
		require.Nil(t, runs[2].Allowed)
		require.NotEqual(t, "other/model", runs[2].Model)
	})
}

func TestAMessageWhoseFilesAreBeingReadIsStoppedAndGoesBack(t *testing.T) {
	for _, stop := range []Command{Stop{Session: root, Cause: CauseKey}, StopAll{Root: root, Cause: CauseKey}} {
		for _, begun := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, enclosing)
				defer st.sound()
				defer st.close()
				if begun {
					st.say("before")
					pass(time.Hour)
				}
				before := len(st.runs())
				sent := make(chan error, 1)
				go func() {
					_, err := st.s.Do(t.Context(), Send{Session: root, Text: "go"})
					sent <- err
				}()
				pass(time.Second)
				st.do(stop)
				pass(time.Second)
				require.ErrorIs(t, <-sent, errStoppedUnsent, "it is not read to its end first")
				require.Len(t, st.runs(), before)
				snapshot, err := st.s.Snapshot(root)
				require.NoError(t, err)
				_, all := stop.(StopAll)
				require.Equal(t, all, snapshot.AllStopped, "the user has written nothing since")
				st.say("and now")
				require.Len(t, st.runs(), before+1)
			})
		}
	}
}

func TestWhoHasGivenUpAMessageStartsNoRunWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, enclosing)
		defer st.sound()
		defer st.close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := st.s.Do(ctx, Send{Session: root, Text: "go"})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Empty(t, st.runs())
	})
}
