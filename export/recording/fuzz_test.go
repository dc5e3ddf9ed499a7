package recording

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// inMemory is a document that stands in no file.
func inMemory(ctx context.Context, document []byte) (*Recording, error) {
	return load(ctx, &Recording{
		name: "it", file: bytes.NewReader(document), size: int64(len(document)), close: func() error { return nil }, longest: 1 << 20,
	})
}

// smallest is a session with a subagent, in which every number and time is at its limit.
func smallest(t testing.TB) *exporttest.Story {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go.", From: lifecycle.FromUser}, lifecycle.Started{},
		lifecycle.StepStarted{Step: math.MaxInt32}, lifecycle.Waiting{Why: "…", For: math.MaxInt64, Attempt: math.MinInt}, lifecycle.Text{Text: "x"},
		exporttest.Usage(maxTokens, maxTokens), exporttest.Started("c", "agent", "", `null`))
	s.Clock = time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	own := exporttest.Child("c", "general", "", "", false)
	own.Parent, own.ParentRun, own.Limit = "s", "r", math.MinInt64
	s.Spawn("s", "r", own, lifecycle.Started{}, lifecycle.Overdue{After: math.MinInt64},
		lifecycle.Ended{State: lifecycle.StateCompletedEmpty}, lifecycle.NotificationQueued{}, lifecycle.NotificationDelivered{Step: math.MinInt})
	s.Clock = time.Date(lastYear, 12, 31, 0, 0, 0, 0, time.UTC)
	s.Add(exporttest.Root, "r-p1", lifecycle.MessageMoved{Message: "m", To: math.MinInt}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "x"})
	s.Answered(exporttest.Root, "r-p1", exporttest.Call("c", "agent", `null`))
	return s
}

// Whatever the bytes: an error of one line, or a session. What is exported of that is a
// document again, which says the same as it did.
func FuzzImport(f *testing.F) {
	f.Add(exported(smallest(f), formats.JSON, 0))
	f.Add(exported(smallest(f), formats.JSON, smallest(f).Upto()))
	f.Add(exported(exporttest.Plot(f), formats.JSON, 20))
	var bare bytes.Buffer
	require.NoError(f, export.Write(f.Context(), &bare, formats.Options{Format: formats.JSON, NoContent: true}, smallest(f).Source(), exporttest.Root, smallest(f).Upto()))
	f.Add(bare.Bytes())
	f.Fuzz(func(t *testing.T, document []byte) {
		r, err := inMemory(t.Context(), document)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "read it: "), err.Error())
			require.NotContains(t, err.Error(), "\n")
			return
		}
		source := r.Source()
		for session := range r.sessions {
			_, err := r.Tail(t.Context(), session, 0, 3)
			require.NoError(t, err)
		}
		for _, format := range formats.All() {
			var out bytes.Buffer
			if err := export.Write(t.Context(), &out, formats.Options{Format: format}, source, source.Session.ID, r.Upto()); err != nil {
				return // its records are no life that a run can have
			}
			if format != formats.JSON {
				continue
			}
			same, err := inMemory(t.Context(), out.Bytes())
			require.NoError(t, err)
			require.Equal(t, out.String(), string(again(t, same, formats.JSON)))
		}
	})
}
