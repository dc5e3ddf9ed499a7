package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAPanicIsThatRunsFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("bad", "good"))
		st.on("bad", func(context.Context, *Port) Outcome { panic("index out of range") })
		st.say("go")
		synctest.Wait()
		require.Equal(t, FailPanic, st.child("bad").Error.Kind)
		require.Equal(t, StateCompleted, st.child("good").State)
	})
}

func TestAScopeReachesItsOwnSubagentsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		var nested, foreign error
		st.on("go", launching("a"))
		st.on("a", func(_ context.Context, port *Port) Outcome {
			_, nested = launch(port, "b", true)
			_, foreign = port.Scope().Stop(root, "mine now")
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		require.ErrorIs(t, nested, ErrDepth)
		require.ErrorIs(t, foreign, ErrUnknown)
	})
}

func TestAnEndedRunWritesNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var port *Port
		st.on("go", func(_ context.Context, p *Port) Outcome {
			port = p
			return Outcome{Text: "ok"}
		})
		run := st.say("go")
		synctest.Wait()
		entries := len(st.journal.entries)
		entry := Entry{Session: root, Run: run.ID, Kind: EntryAssistant, Body: json.RawMessage(`{}`)}
		require.ErrorIs(t, port.Record([]Entry{entry}), ErrEnded)
		require.ErrorIs(t, port.Record(nil, Text{"more"}), ErrEnded)
		require.ErrorIs(t, answer(port, "call"), ErrEnded)
		_, err := port.Step()
		require.ErrorIs(t, err, ErrEnded)
		require.Len(t, st.journal.entries, entries)
	})
}

func TestAnotherModelIsThatOfTheRunsToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if err := errors.Join(st.s.SetModel(root, "test/other"), st.s.SetEffort(root, "high")); err != nil {
				return Outcome{Err: err}
			}
			return launching("before")(t.Context(), port)
		})
		st.on("again", launching("after"))
		first := st.say("go")
		synctest.Wait()
		second := st.say("again")
		synctest.Wait()
		require.Equal(t, "test/m", st.run(first.ID).Model, "it was under way")
		require.Equal(t, "test/m", st.child("before").Model, "and so is what it starts")
		require.Equal(t, "test/other", st.run(second.ID).Model)
		require.Equal(t, "test/other", st.child("after").Model)
		require.Empty(t, st.run(first.ID).Effort+st.child("before").Effort, "nor does its effort change")
		require.Equal(t, "high", st.run(second.ID).Effort)
		require.Equal(t, "high", st.child("after").Effort, "what names no effort has its parent's")
		require.ErrorIs(t, st.s.SetModel("nobody", "x"), ErrUnknown)
	})
}
