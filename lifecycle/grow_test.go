package lifecycle

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// answering is a run that says this in pieces, one record each.
func answering(run Run, pieces []string) Run {
	for _, piece := range pieces {
		var err error
		if run, err = run.Apply(Record{Seq: run.Seq + 1, Run: run.ID, Event: Text{piece}}); err != nil {
			panic(err)
		}
	}
	return run
}

func TestTextGrowsWithoutChangingWhatWasHandedOut(t *testing.T) {
	run := runOf(t, Spawned{}, Started{}, StepStarted{1})
	var values []Run
	whole := ""
	for i := range 200 {
		run = answering(run, []string{fmt.Sprint(i, " ")})
		whole += fmt.Sprint(i, " ")
		values = append(values, run)
	}
	require.Equal(t, whole, run.Partial)
	for i, value := range values {
		left, right := answering(value, []string{"left"}), answering(value, []string{"right"})
		require.Equal(t, value.Partial+"left", left.Partial)
		require.Equal(t, value.Partial+"right", right.Partial, "from one value grow as many as anybody likes")
		require.True(t, strings.HasPrefix(whole, value.Partial), "value %d is as it was", i)
	}
}

func TestARunFromJSONGrowsLikeAnyOther(t *testing.T) {
	run := answering(runOf(t, Spawned{}, Started{}, StepStarted{1}), []string{"some ", "text"})
	encoded, err := json.Marshal(run)
	require.NoError(t, err)
	var back Run
	require.NoError(t, json.Unmarshal(encoded, &back))
	require.Equal(t, "some text, and more", answering(back, []string{", and", " more"}).Partial)
	again, err := json.Marshal(back)
	require.NoError(t, err)
	require.JSONEq(t, string(encoded), string(again))
}

func TestRunsGrowFromManyGoroutines(t *testing.T) {
	run := answering(runOf(t, Spawned{}, Started{}, StepStarted{1}), []string{"so "})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			own, want := run, run.Partial
			for j := range 500 {
				piece := fmt.Sprint(i, j)
				want += piece
				own = answering(own, []string{piece})
				next, err := own.Apply(Record{Seq: own.Seq + 1, Run: own.ID, Event: Warned{Message: piece}})
				if err != nil || own.Partial != want || next.Warnings[j].Message != piece {
					panic(fmt.Sprint("goroutine ", i, " read another's text: ", err))
				}
				own = next
			}
		})
	}
	all.Wait()
	require.Equal(t, "so ", run.Partial)
}

func TestWarningsAndDenialsGrowWithoutChangingWhatWasHandedOut(t *testing.T) {
	run := runOf(t, Spawned{}, Started{})
	var values []Run
	for i := range 50 {
		values = append(values, run)
		for _, event := range []Event{Warned{Message: fmt.Sprint(i)}, PermissionDenied{Subject: fmt.Sprint(i)}} {
			var err error
			run, err = run.Apply(Record{Seq: run.Seq + 1, Run: run.ID, Event: event, Time: time.Unix(1, 0)})
			require.NoError(t, err)
		}
	}
	for i, value := range values {
		require.Len(t, value.Warnings, i)
		other, err := value.Apply(Record{Seq: value.Seq + 1, Run: run.ID, Event: Warned{Message: "other"}})
		require.NoError(t, err)
		require.Equal(t, "other", other.Warnings[i].Message)
		require.Equal(t, fmt.Sprint(i), run.Warnings[i].Message)
		require.Equal(t, fmt.Sprint(i), run.Denials[i].Subject)
	}
}

// An answer of 200,000 tokens, and a quarter of it: the time goes with the length.
func BenchmarkFoldText(b *testing.B) {
	for _, pieces := range []int{2500, 10000} {
		b.Run(fmt.Sprint(pieces, "-pieces"), func(b *testing.B) {
			said := make([]string, pieces)
			for i := range said {
				said[i] = strings.Repeat("word", 20) // 20 tokens
			}
			run := Run{ID: "r1", State: StateRunning, Step: 1}
			b.ReportAllocs()
			for b.Loop() {
				answering(run, said)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pieces), "ns/piece")
		})
	}
}
