package lifecycle

import (
	"context"
	"encoding/json"
	"strings"
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
