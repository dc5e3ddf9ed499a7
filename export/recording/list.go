package recording

import (
	"errors"
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// takeSessions notes where transcripts begin.
func (r *Recording) takeSessions(w *walk) error {
	if err := w.open('['); err != nil {
		return err
	}
	for n := 1; w.more(); n++ {
		place := fmt.Sprintf("session %d", n)
		w.what = place
		if err := r.takeSession(w, place); err != nil {
			return err
		}
	}
	return w.end()
}

func (r *Recording) takeSession(w *walk, place string) error {
	if err := w.open('{'); err != nil {
		return err
	}
	transcript := index{apart: messagesApart}
	var id lifecycle.SessionID
	met, err := w.members(map[string]func(*walk) error{
		"session": func(w *walk) error { return w.into(&id) },
		"transcript": func(w *walk) error {
			return takeList(w, &transcript, place+", message", readMessage, func(_ book.Message, at int64) error { return transcript.add(at) })
		},
	})
	switch {
	case err != nil:
		return err
	case id == "" || !met["transcript"]:
		return w.fault(errors.New("it needs an id and a transcript: export the session again"))
	}
	t, err := r.session(id)
	if err != nil {
		return w.fault(err)
	}
	if t.named {
		return w.fault(fmt.Errorf("session %s appears twice", id))
	}
	t.named, t.transcript = true, transcript
	return nil
}

// takeList reads a list into an index, element by element: each is read, held against its
// bytes, and added with its place in the file. what an element is called is for errors.
func takeList[T any](w *walk, x *index, what string, read func([]byte) (T, error), add func(one T, at int64) error) error {
	if err := w.open('['); err != nil {
		return err
	}
	for w.more() {
		w.what = fmt.Sprintf("%s %d", what, x.count+1)
		raw, err := w.value()
		if err != nil {
			return err
		}
		one, err := read(raw)
		if err == nil {
			err = exact(raw, one)
		}
		if err == nil {
			err = add(one, w.offset()-int64(len(raw)))
		}
		if err != nil {
			return w.fault(err)
		}
	}
	return w.end()
}

// takeRuns looks at the receipts and notes where they begin.
func (r *Recording) takeRuns(w *walk) error {
	met := map[lifecycle.RunID]bool{}
	return takeList(w, &r.runs, "run", readRun, func(run lifecycle.Run, at int64) error { return r.addRun(run.ID, met, at) })
}

func (r *Recording) addRun(id lifecycle.RunID, met map[lifecycle.RunID]bool, at int64) error {
	if met[id] {
		return fmt.Errorf("run %s appears twice", id)
	}
	met[id] = true
	if err := r.runs.add(at); err != nil {
		return err
	}
	switch r.ids += len(id); {
	case r.runs.count > maxRuns || r.ids > maxIDs:
		return fmt.Errorf("it has more than %d runs, or %d MB of ids", maxRuns, maxIDs>>20)
	case at-r.runs.places[0] > maxRunsSize:
		return fmt.Errorf("all runs together are longer than %d MB", maxRunsSize>>20)
	}
	return nil
}

// takeRecords notes where records begin, and that none is missing.
func (r *Recording) takeRecords(w *walk) error {
	return takeList(w, &r.log, "record", readRecord, func(rec lifecycle.Record, at int64) error {
		if err := follows(rec.Seq, lifecycle.Seq(r.log.count)); err != nil {
			return err
		}
		return r.addRecord(rec, at)
	})
}

// follows says what is wrong with the number of a record behind others.
func follows(seq, last lifecycle.Seq) error {
	switch {
	case seq == last+1:
		return nil
	case seq > last:
		return fmt.Errorf("record %d is missing: record %d follows record %d", last+1, seq, last)
	case seq == last:
		return fmt.Errorf("record %d appears twice", seq)
	}
	return fmt.Errorf("record %d follows record %d: they are out of order", seq, last)
}
