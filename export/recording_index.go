package export

import (
	"errors"
	"fmt"

	"pawl/lifecycle"
)

// How far the places are apart that are kept. What stands between two of them is read
// over when a page begins there.
const (
	recordsApart  = 128
	messagesApart = 32
)

// Bounds on what a document may make the program hold, whoever wrote it.
const (
	maxRuns     = 1_000_000
	maxSessions = 1_000_000
	maxIDs      = 256 << 20 // of the names of sessions and runs, in bytes
)

// list is where elements stand in the file.
type list struct {
	first int64
	count int
}

// index finds elements of a list by their numbers, from 0.
type index struct {
	apart  int
	count  int
	places []int64 // of each apart-th
}

func (x *index) add(at int64) {
	if x.count%x.apart == 0 {
		x.places = append(x.places, at)
	}
	x.count++
}

// before is the last place kept up to an element, and how many stand between.
func (x *index) before(n int) (at int64, skip int) { return x.places[n/x.apart], n % x.apart }

// talk is one session: its transcript, and which parts of the log have records of it.
type talk struct {
	transcript index
	named      bool     // it is in the list of sessions
	blocks     []uint32 // of recordsApart records each
}

// talk finds a session, or begins it.
func (r *Recording) talk(id lifecycle.SessionID) (*talk, error) {
	if t := r.talks[id]; t != nil {
		return t, nil
	}
	if r.ids += len(id); len(r.talks) >= maxSessions || r.ids > maxIDs {
		return nil, fmt.Errorf("it names more than %d sessions, or %d MB of ids", maxSessions, maxIDs>>20)
	}
	t := &talk{transcript: index{apart: messagesApart}}
	r.talks[id] = t
	return t, nil
}

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
		"session":    func(w *walk) error { return w.into(&id) },
		"transcript": func(w *walk) error { return takeTranscript(w, place, &transcript) },
	})
	switch {
	case err != nil:
		return err
	case id == "" || !met["transcript"]:
		return w.fault(errors.New("it needs an id and a transcript: export the session again"))
	}
	t, err := r.talk(id)
	if err != nil {
		return w.fault(err)
	}
	if t.named {
		return w.fault(fmt.Errorf("session %s stands there twice", id))
	}
	t.named, t.transcript = true, transcript
	return nil
}

func takeTranscript(w *walk, place string, transcript *index) error {
	if err := w.open('['); err != nil {
		return err
	}
	for w.more() {
		w.what = fmt.Sprintf("%s, message %d", place, transcript.count+1)
		raw, err := w.value()
		if err != nil {
			return err
		}
		m, err := readMessage(raw)
		if err == nil {
			err = exact(raw, m)
		}
		if err != nil {
			return w.fault(err)
		}
		transcript.add(w.offset() - int64(len(raw)))
	}
	return w.end()
}

func (r *Recording) takeRuns(w *walk) error {
	if err := w.open('['); err != nil {
		return err
	}
	met := map[lifecycle.RunID]bool{}
	for w.more() {
		w.what = fmt.Sprintf("run %d", r.runs.count+1)
		raw, err := w.value()
		if err != nil {
			return err
		}
		run, err := readRun(raw)
		if err == nil {
			err = exact(raw, run)
		}
		if err != nil {
			return w.fault(err)
		}
		if met[run.ID] {
			return w.fault(fmt.Errorf("run %s stands there twice", run.ID))
		}
		met[run.ID] = true
		if r.runs.count++; r.runs.count == 1 {
			r.runs.first = w.offset() - int64(len(raw))
		}
		if r.ids += len(run.ID); r.runs.count > maxRuns || r.ids > maxIDs {
			return w.fault(fmt.Errorf("it has more than %d runs, or %d MB of ids", maxRuns, maxIDs>>20))
		}
	}
	return w.end()
}

func (r *Recording) takeRecords(w *walk) error {
	if err := w.open('['); err != nil {
		return err
	}
	for w.more() {
		w.what = fmt.Sprintf("record %d", r.log.count+1)
		raw, err := w.value()
		if err != nil {
			return err
		}
		rec, err := readRecord(raw)
		if err == nil {
			err = exact(raw, rec)
		}
		if err == nil {
			err = follows(rec.Seq, lifecycle.Seq(r.log.count))
		}
		if err == nil {
			err = r.addRecord(rec, w.offset()-int64(len(raw)))
		}
		if err != nil {
			return w.fault(err)
		}
	}
	return w.end()
}

// follows says what is wrong with the number of a record behind others.
func follows(seq, last lifecycle.Seq) error {
	switch {
	case seq == last+1:
		return nil
	case seq > last:
		return fmt.Errorf("record %d is missing: record %d follows record %d", last+1, seq, last)
	case seq == last:
		return fmt.Errorf("record %d stands there twice", seq)
	}
	return fmt.Errorf("record %d follows record %d: they are out of order", seq, last)
}

func (r *Recording) addRecord(rec lifecycle.Record, at int64) error {
	t, err := r.talk(rec.Session)
	if err != nil {
		return err
	}
	block := uint32(r.log.count / recordsApart)
	if len(t.blocks) == 0 || t.blocks[len(t.blocks)-1] != block {
		t.blocks = append(t.blocks, block)
	}
	r.log.add(at)
	return nil
}
