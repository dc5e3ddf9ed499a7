package lifecycle_test

import (
	"context"
	"errors"

	"pawl/export/book"
	"pawl/export/verify"
	"pawl/lifecycle"
)

// What "pawl verify" holds every session against, the real supervisor keeps in all that
// the model test makes it do.
var _ = bearWitness()

func bearWitness() bool {
	lifecycle.Witness = func(records []lifecycle.Record, runs []lifecycle.Run, limits lifecycle.Limits, faulty bool) error {
		if len(records) == 0 {
			return nil
		}
		verdict, err := verify.Session(context.Background(), book.Source{
			Session:  book.Session{ID: records[0].Root},
			Openings: []book.Opening{{Seq: 1, Settings: map[string]any{"subagents.max_background": limits.Background, "limits.max_remote": limits.Remote}}},
			Runs: func(_ context.Context, _ lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
				rest := runs[min(after, len(runs)):]
				return rest[:min(limit, len(rest))], nil
			},
			Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
				rest := records[min(int(after), len(records)):]
				return rest[:min(limit, len(rest))], nil
			},
		}, lifecycle.Seq(len(records)))
		for _, fault := range verdict.Faults {
			// A scripted worker that is stopped when its result is refused does not say so, as a loop does.
			if faulty && fault.Promise.Number == 7 {
				continue
			}
			err = errors.Join(err, errors.New(fault.String()))
		}
		return err
	}
	return true
}
