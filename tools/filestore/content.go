package filestore

import (
	"fmt"
	"slices"
)

// resembled is a kept content that another one may be stored as like; the zero value is none.
type resembled struct {
	content []byte
	key     key
	at      int // its record
}

// plan decides what is stored of a content: what differs from the one that it is like, or all.
func plan(n name, content []byte, base resembled) (entry, []byte) {
	e := entry{name: n, size: int64(len(content))}
	stored := content
	if base.content != nil {
		if hunks, put := differences(base.content, content); len(put) < len(content) {
			e.form, e.hunks, stored = part, hunks, put
		}
	}
	if short, shorter := pack(stored); shorter {
		e.form |= packed
		stored = short
	}
	e.stored = int64(len(stored))
	return e, stored
}

// base finds the content of a hash, if it is kept and not at the end of too long a chain.
func (s *Store) base(like string) resembled {
	at, err := s.find(like)
	if err != nil || s.all[at].depth >= s.deepest {
		return resembled{}
	}
	content, ok := s.recent.find(like)
	if !ok {
		if content, err = s.content(at, like); err != nil {
			return resembled{}
		}
	}
	return resembled{content, s.all[at].name.key(), at}
}

// stands reports whether a record is where it was: the pack may have been removed and begun anew.
func (s *Store) stands(base resembled) bool {
	return base.at < len(s.all) && s.all[base.at].name.key() == base.key && s.all[base.at].size == int64(len(base.content))
}

// wanted is a piece of a content that is still to be found: where in the record at hand, and where
// it goes.
type wanted struct{ from, to, put int64 }

// content puts the content of a record together, and verifies its hash.
func (s *Store) content(at int, hash string) ([]byte, error) {
	if content, ok := s.recent.find(hash); ok {
		return slices.Clone(content), nil
	}
	content, err := s.whole(at)
	if err != nil {
		return nil, err
	}
	if Hash(content) != hash {
		return nil, fmt.Errorf("%w: their hash is another", ErrDamaged)
	}
	s.know(at, hash)
	return content, nil
}

// whole puts the content of a record together. It goes from record to record that each is like, and
// takes from each what the later ones do not hold themselves.
func (s *Store) whole(at int) ([]byte, error) {
	content := make([]byte, s.all[at].size)
	var missing, spare []wanted
	if len(content) > 0 {
		missing = []wanted{{to: s.all[at].size}}
	}
	for i := at; len(missing) > 0; i -= s.all[i].back {
		rest, err := s.take(&s.all[i], content, missing, spare)
		if err != nil {
			return nil, err
		}
		if len(rest) > 0 && !s.all[i].form.is(part) {
			return nil, ErrDamaged
		}
		missing, spare = rest, missing[:0]
	}
	return content, nil
}

// know notes that a record holds the content of a hash.
func (s *Store) know(at int, hash string) {
	if n, err := nameOf(hash); err == nil {
		s.all[at].name, s.all[at].known = n, true
	}
}

// take puts into a content what a record holds of the missing pieces, and returns what is missing
// of the record that it is like, added to rest. Pieces are in order.
func (s *Store) take(e *entry, content []byte, missing, rest []wanted) (_ []wanted, err error) {
	var held []byte
	var at, base, put int64 // how far it went in this record, in the one that it is like, and in what is stored
	for i := 0; len(missing) > 0 && i <= len(e.hunks); i++ {
		h := e.hunk(i, at)
		shift := base - at
		missing = before(at+h.same, missing, func(w wanted) {
			rest = append(rest, wanted{w.from + shift, w.to + shift, w.put})
		})
		at, base = at+h.same, base+h.same+h.drop
		if held == nil && len(missing) > 0 && missing[0].from < at+h.put {
			if held, err = s.held(e); err != nil {
				return nil, err
			}
		}
		missing = before(at+h.put, missing, func(w wanted) {
			copy(content[w.put:], held[w.from-at+put:w.to-at+put])
		})
		at, put = at+h.put, put+h.put
	}
	return rest, nil
}

// before has something done with those pieces, or parts of them, that end at a place or before it, and
// returns the others.
func before(end int64, missing []wanted, do func(wanted)) []wanted {
	for len(missing) > 0 && missing[0].from < end {
		w := missing[0]
		if w.to <= end {
			missing = missing[1:]
		} else {
			missing[0].from, missing[0].put, w.to = end, w.put+end-w.from, end
		}
		do(w)
	}
	return missing
}

// held reads what is stored in a record.
func (s *Store) held(e *entry) ([]byte, error) {
	stored := make([]byte, e.stored)
	if _, err := s.file.ReadAt(stored, e.at); err != nil {
		return nil, err
	}
	if e.form.is(packed) {
		return unpack(stored, e.put())
	}
	if e.stored != e.put() {
		return nil, ErrDamaged
	}
	return stored, nil
}
