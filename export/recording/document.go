package recording

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

// walk goes through the whole document once: each value is read, checked and, but for the
// facts, forgotten again. The members may stand in any order. One that this version does
// not know is passed over: a newer Pawl of the same document version may have written it.
func (r *Recording) walk(ctx context.Context) error {
	w := r.walkFrom(ctx, 0)
	if err := w.first(); err != nil {
		return err
	}
	r.log.apart, r.runs.apart, r.head.content = recordsApart, runsApart, true
	met, err := w.members(map[string]func(*walk) error{
		"format":   r.takeFormat,
		"version":  r.takeVersion,
		"pawl":     func(w *walk) error { return w.into(&r.head.pawl) },
		"content":  func(w *walk) error { return w.into(&r.head.content) },
		"seq":      func(w *walk) error { return w.into(&r.head.seq) },
		"session":  r.takeFacts,
		"openings": r.takeOpenings,
		"sessions": r.takeSessions,
		"runs":     r.takeRuns,
		"records":  r.takeRecords,
		"totals":   func(w *walk) error { return w.into(&r.totals) },
	})
	if err != nil {
		return err
	}
	if _, err := w.dec.Token(); !errors.Is(err, io.EOF) {
		return w.fault(errors.New("there is more after the end of the document: a file holds one session"))
	}
	return r.whole(w, met)
}

// first looks at how the document begins.
func (w *walk) first() error {
	if w.rec.size == 0 {
		return w.fault(errEmpty)
	}
	w.from.limit = w.rec.longest
	token, err := w.dec.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax), errors.Is(err, io.EOF):
		return w.fault(errNoDocument)
	case err != nil:
		return w.fault(err)
	case token != json.Delim('{'):
		return w.fault(errForeign)
	}
	return nil
}

// whole says what is not there.
func (r *Recording) whole(w *walk, met map[string]bool) error {
	if !met["format"] {
		return w.fault(errForeign)
	}
	for _, name := range []string{"version", "pawl", "seq", "session", "sessions", "runs", "records", "totals"} {
		if !met[name] {
			return w.fault(fmt.Errorf("it has no %q: export the session again", name))
		}
	}
	if got := lifecycle.Seq(r.log.count); got != r.head.seq {
		return w.fault(fmt.Errorf("it has %d records but says %d: export the session again", got, r.head.seq))
	}
	if t := r.sessions[r.head.session.ID]; t == nil || !t.named {
		return w.fault(fmt.Errorf("the transcript of session %s is missing: export the session again", r.head.session.ID))
	}
	for id, t := range r.sessions {
		if t.named && len(t.blocks) == 0 && id != r.head.session.ID {
			return w.fault(fmt.Errorf("session %s has a transcript, but no record: export the session again", id))
		}
	}
	return nil
}

func (r *Recording) takeFormat(w *walk) error {
	if err := w.into(&r.head.format); err != nil {
		return err
	}
	if r.head.format != jsondoc.Format {
		return w.fault(errForeign)
	}
	return nil
}

func (r *Recording) takeVersion(w *walk) error {
	if err := w.into(&r.head.version); err != nil {
		return err
	}
	if r.head.version != jsondoc.Version {
		return w.fault(fmt.Errorf("the document has version %d, and this Pawl reads version %d: open it with a newer one", r.head.version, jsondoc.Version))
	}
	return nil
}

func (r *Recording) takeFacts(w *walk) error {
	if err := w.into(&r.head.session); err != nil {
		return err
	}
	switch id := r.head.session.ID; {
	case id == "":
		return w.fault(errors.New("the session has no id: export it again"))
	case len(id) > maxName: // it is in the name of a file that is written
		return w.fault(fmt.Errorf("the id of the session is longer than %d bytes", maxName))
	}
	return w.fault(inTime(r.head.session.Created))
}

// takeOpenings reads those of the session: documents from before there were any have none.
func (r *Recording) takeOpenings(w *walk) error {
	if err := w.into(&r.head.openings); err != nil {
		return err
	}
	last := lifecycle.Seq(0)
	for _, o := range r.head.openings {
		if o.Seq <= last {
			return w.fault(fmt.Errorf("one begins at record %d, after one at record %d", o.Seq, last))
		}
		last = o.Seq
		if err := inTime(o.Time); err != nil {
			return w.fault(err)
		}
		if err := plainSettings(o.Settings); err != nil {
			return w.fault(err)
		}
	}
	return nil
}

// plainSettings says what is wrong with those of an opening: what is neither a text, a
// number, a truth nor a list of texts is none that this program writes.
func plainSettings(all map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		ok := true
		switch v := all[name].(type) {
		case string, float64, bool:
		case []any:
			ok = !slices.ContainsFunc(v, func(one any) bool { _, text := one.(string); return !text })
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf("the setting %q must be a string, a number, true or false, or a list of strings", name)
		}
	}
	return nil
}
