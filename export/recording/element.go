package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"pawl/agent"
	"pawl/export/book"
	"pawl/lifecycle"
)

// The times and numbers that an element may have. A time beyond them is no clock's, and
// sums and differences of those within them are still numbers.
const (
	firstYear = 1970
	lastYear  = 2200
	maxTokens = 1e12 // of a model request
	maxCost   = 1e9  // of one, in US dollars
	requests  = 1e6  // of a run
)

func readRecord(raw []byte) (rec lifecycle.Record, err error) {
	if err := rec.UnmarshalJSON(raw); err != nil {
		return rec, err
	}
	if rec.Root == "" || rec.Session == "" || rec.Run == "" {
		return rec, errors.New("it needs a root, a session and a run")
	}
	if err := inTime(rec.Time); err != nil {
		return rec, err
	}
	if rec.Request < 0 {
		return rec, fmt.Errorf("%d is no request", rec.Request)
	}
	if err := checkEvent(rec.Event); err != nil {
		return rec, err
	}
	return rec, nil
}

// checkEvent looks at the values that come from closed sets or go into sums.
func checkEvent(event lifecycle.Event) error {
	switch e := event.(type) {
	case lifecycle.UsageReported:
		return countedUsage(e.Usage, 1)
	case lifecycle.Ended:
		if !e.State.Terminal() {
			return fmt.Errorf("%q is not a state in which a run ends", e.State)
		}
	case lifecycle.StepStarted:
		return countable(e.Step)
	default: // what is wrong with others, the fold says
	}
	return nil
}

func readRun(raw []byte) (run lifecycle.Run, err error) {
	if err := json.Unmarshal(raw, &run); err != nil {
		return run, err
	}
	switch {
	case run.ID == "" || run.Session == "":
		return run, errors.New("it needs an id and a session")
	case !slices.Contains(lifecycle.States(), run.State):
		return run, fmt.Errorf("%q is not a state of a run", run.State)
	}
	if err := inTime(timesOf(run)...); err != nil {
		return run, err
	}
	if err := errors.Join(countedUsage(run.Usage, requests), countable(run.Step), countable(run.TextStep)); err != nil {
		return run, err
	}
	return run, nil
}

func timesOf(run lifecycle.Run) []time.Time {
	times := []time.Time{
		run.SpawnedAt, run.StartedAt, run.StopRequestedAt, run.DetachedAt,
		run.OverdueAt, run.LeftAt, run.HeardAt, run.EndedAt,
	}
	for _, tool := range run.Tools {
		times = append(times, tool.Since)
	}
	for _, denial := range run.Denials {
		times = append(times, denial.At, denial.LiftedAt)
	}
	for _, lifted := range run.Lifted {
		times = append(times, lifted.At)
	}
	if n := run.Notification; n != nil {
		times = append(times, n.QueuedAt, n.DeliveredAt, n.WithdrawnAt)
	}
	if run.Placed != nil {
		times = append(times, run.Placed.At, run.Placed.LostAt)
	}
	if run.Landing != nil {
		times = append(times, run.Landing.At)
	}
	if run.Consumed != nil {
		times = append(times, run.Consumed.At)
	}
	return times
}

func readMessage(raw []byte) (m book.Message, err error) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	switch m.Kind {
	case lifecycle.EntryUser, lifecycle.EntryAssistant, lifecycle.EntryToolResult, lifecycle.EntryNotification, lifecycle.EntrySummary,
		lifecycle.EntryRewind:
	default:
		return m, fmt.Errorf("%q is not a kind of message", m.Kind)
	}
	if m.Keep < 0 {
		return m, fmt.Errorf("a rewind that keeps %d entries", m.Keep)
	}
	switch m.Role {
	case agent.RoleUser, agent.RoleAssistant, agent.RoleTool:
	default:
		return m, fmt.Errorf("%q is not a role", m.Role)
	}
	if bare := m.Kind == lifecycle.EntryNotification || m.Kind == lifecycle.EntrySummary; bare && len(m.Parts) == 0 {
		return m, fmt.Errorf("a %s without a text", m.Kind)
	}
	for _, p := range m.Parts {
		switch p.Type {
		case book.PartText, book.PartThinking, book.PartCall, book.PartResult, book.PartImage, book.PartSearch:
		default:
			return m, fmt.Errorf("%q is not a type of part", p.Type)
		}
	}
	return m, nil
}

// inTime refuses times that no clock of ours shows. The zero time stands where nothing
// happened.
func inTime(times ...time.Time) error {
	for _, at := range times {
		if year := at.UTC().Year(); !at.IsZero() && (year < firstYear || year > lastYear) {
			return fmt.Errorf("%s is not a time between the years %d and %d", at.Format(time.RFC3339), firstYear, lastYear)
		}
	}
	return nil
}

// countedUsage refuses usage that so many model requests cannot come to.
func countedUsage(u lifecycle.Usage, requests float64) error {
	for _, n := range []int64{u.InputTokens, u.OutputTokens, u.CachedTokens, u.CacheWriteTokens, u.EstimatedTokens, int64(u.ToolCalls), int64(u.Steps)} {
		if n < 0 || float64(n) > maxTokens*requests {
			return fmt.Errorf("%d is not a count of tokens, calls or steps", n)
		}
	}
	if u.Cost < 0 || u.Cost > maxCost*requests {
		return fmt.Errorf("%g is not a cost in dollars", u.Cost)
	}
	return nil
}

func countable(n int) error {
	if n < 0 || n > math.MaxInt32 {
		return fmt.Errorf("%d is not the number of a step", n)
	}
	return nil
}
