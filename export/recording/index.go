package recording

import (
	"fmt"

	"pawl/lifecycle"
)

// How far the places are apart that are kept. What stands between two of them is read
// over when a page begins there.
const (
	recordsApart  = 128
	messagesApart = 32
	runsApart     = 32
)

// Bounds on what a document may make the program hold, whoever wrote it; sizes in bytes,
// as the file has them. What Pawl records is far below: 10,000 runs with reports of 30,000
// characters are 300 MB.
const (
	maxRuns     = 200_000
	maxSessions = 200_000
	maxIDs      = 32 << 20  // the ids of sessions and runs
	maxRunsSize = 512 << 20 // all runs
	maxApart    = 128 << 20 // what stands between two places of an index: a page has a few of those
)

// index finds elements of a list by their numbers, from 0.
type index struct {
	apart  int
	count  int
	places []int64 // of each apart-th
}

func (x *index) add(at int64) error {
	if x.count%x.apart == 0 {
		x.places = append(x.places, at)
	}
	x.count++
	if at-x.places[len(x.places)-1] > maxApart {
		return fmt.Errorf("the last %d together are longer than %d MB", x.apart, maxApart>>20)
	}
	return nil
}

// before is the last place kept up to an element, and how many stand between.
func (x *index) before(n int) (at int64, skip int) { return x.places[n/x.apart], n % x.apart }

// sessionIndex is one session: its transcript, and which parts of the log have records of it.
type sessionIndex struct {
	transcript index
	named      bool     // it is in the list of sessions
	blocks     []uint32 // of recordsApart records each
}

func (r *Recording) session(id lifecycle.SessionID) (*sessionIndex, error) {
	if t := r.sessions[id]; t != nil {
		return t, nil
	}
	if r.ids += len(id); len(r.sessions) >= maxSessions || r.ids > maxIDs {
		return nil, fmt.Errorf("it names more than %d sessions, or %d MB of ids", maxSessions, maxIDs>>20)
	}
	t := &sessionIndex{transcript: index{apart: messagesApart}}
	r.sessions[id] = t
	return t, nil
}

func (r *Recording) addRecord(rec lifecycle.Record, at int64) error {
	t, err := r.session(rec.Session)
	if err != nil {
		return err
	}
	block := uint32(r.log.count / recordsApart)
	if len(t.blocks) == 0 || t.blocks[len(t.blocks)-1] != block {
		t.blocks = append(t.blocks, block)
	}
	return r.log.add(at)
}
