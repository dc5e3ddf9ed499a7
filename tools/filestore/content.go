package filestore

import (
	"bytes"
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
func plan(k key, content []byte, base resembled) (entry, []byte) {
	e := entry{form: whole, key: k, size: int64(len(content)), changed: int64(len(content))}
	stored := content
	start, end := common(base.content, content)
	if start+end > 0 {
		stored = content[start : len(content)-end]
		e.form, e.same, e.changed = part, int64(start), int64(len(stored))
	}
	if packed, shorter := pack(stored); shorter {
		e.form++ // to its packed form
		stored = packed
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
	return resembled{content, s.all[at].key, at}
}

// stands reports whether a record is where it was: the pack may have been removed and begun anew.
func (s *Store) stands(base resembled) bool {
	return base.at < len(s.all) && s.all[base.at].key == base.key && s.all[base.at].size == int64(len(base.content))
}

// common counts the bytes that two texts have in common at their start, and then at their end.
func common(a, b []byte) (start, end int) {
	most := min(len(a), len(b))
	start = sameBytes(most, func(i, n int) bool { return bytes.Equal(a[i:i+n], b[i:i+n]) })
	end = sameBytes(most-start, func(i, n int) bool {
		return bytes.Equal(a[len(a)-i-n:len(a)-i], b[len(b)-i-n:len(b)-i])
	})
	return start, end
}

// sameBytes counts up to most while the n bytes from the i-th on are the same: many at a time first.
func sameBytes(most int, same func(i, n int) bool) int {
	done := 0
	for step := 4 << 10; step > 0; step /= 64 {
		for done+step <= most && same(done, step) {
			done += step
		}
	}
	return done
}

// wanted is a piece of a content that is still to be found: where in the record at hand, and where
// it goes.
type wanted struct{ from, to, put int64 }

// content puts the content of a record together, and verifies its hash. It goes from record to
// record that each is like, and takes from each what the later ones do not hold themselves.
func (s *Store) content(at int, hash string) ([]byte, error) {
	if content, ok := s.recent.find(hash); ok {
		return slices.Clone(content), nil
	}
	content := make([]byte, s.all[at].size)
	missing, spare := []wanted{{to: s.all[at].size}}, []wanted(nil)
	for i := at; len(missing) > 0; i -= s.all[i].back {
		rest, err := s.take(s.all[i], content, missing, spare)
		if err != nil {
			return nil, err
		}
		if len(rest) > 0 && !s.all[i].form.part() {
			return nil, ErrDamaged
		}
		missing, spare = rest, missing[:0]
	}
	if Hash(content) != hash {
		return nil, fmt.Errorf("%w: their hash is another", ErrDamaged)
	}
	s.all[at].known = true
	return content, nil
}

// take puts into a content what a record holds of the missing pieces, and returns what is missing
// of the record that it is like, added to rest.
func (s *Store) take(e entry, content []byte, missing, rest []wanted) ([]wanted, error) {
	start, end := e.same, e.same+e.changed
	var held []byte
	for _, w := range missing {
		if w.from < start {
			rest = append(rest, wanted{w.from, min(w.to, start), w.put})
		}
		if from, to := max(w.from, start), min(w.to, end); from < to {
			if held == nil {
				var err error
				if held, err = s.held(e); err != nil {
					return nil, err
				}
			}
			copy(content[w.put+from-w.from:], held[from-start:to-start])
		}
		if w.to > end {
			from := max(w.from, end)
			rest = append(rest, wanted{from + e.shift, w.to + e.shift, w.put + from - w.from})
		}
	}
	return rest, nil
}

// held reads what is stored in a record.
func (s *Store) held(e entry) ([]byte, error) {
	stored := make([]byte, e.stored)
	if _, err := s.file.ReadAt(stored, e.at); err != nil {
		return nil, err
	}
	if e.form.packed() {
		return unpack(stored, e.changed)
	}
	if e.stored != e.changed {
		return nil, ErrDamaged
	}
	return stored, nil
}
