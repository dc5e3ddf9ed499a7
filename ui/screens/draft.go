package screens

import (
	"strings"

	"pawl/lifecycle"
)

// Put takes in what stands in a screen's lines, for the next Save.
func (t *Seat[M]) Put(drafts map[lifecycle.SessionID]string) {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	for session, text := range drafts {
		t.drafts[session] = text
		t.set.due[session] = true
	}
}

// Save keeps the drafts that have changed, each with those of all screens for that session: one
// that is sent takes no other screen's along. A long one that takes its time is not overtaken by a
// newer one, and nobody who draws waits for it. When it returns, all that was put before is kept.
func (s *Set[M]) Save(save func(lifecycle.SessionID, string)) {
	s.saving.Lock()
	defer s.saving.Unlock()
	for session, text := range s.takeDue() {
		save(session, text)
	}
}

// Save is Set.Save.
func (t *Seat[M]) Save(save func(lifecycle.SessionID, string)) { t.set.Save(save) }

func (s *Set[M]) takeDue() map[lifecycle.SessionID]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := map[lifecycle.SessionID]string{}
	for session := range s.due {
		text := s.left[session]
		for _, seat := range s.seats {
			text = join(text, seat.drafts[session])
		}
		due[session] = text
	}
	clear(s.due)
	return due
}

// join puts one draft below another.
func join(above, below string) string {
	if above == "" || below == "" {
		return above + below
	}
	return strings.TrimRight(above, "\n") + "\n" + below
}
