package screens

import (
	"strings"

	"pawl/lifecycle"
)

// Put takes in what stands in a screen's lines and has changed, for the next Save. What the screen has
// taken back is in these lines, or its user has taken it out of them.
func (t *Seat[M]) Put(drafts map[lifecycle.SessionID]string) {
	s := t.set
	s.mu.Lock()
	defer s.mu.Unlock()
	for session, text := range drafts {
		t.drafts[session] = text
		s.dueFor(session)
	}
	for message, session := range t.taken {
		s.settled[message] = true
		s.due[session] = append(s.dueFor(session), message)
		delete(s.senders, message)
	}
	clear(t.taken)
}

// dueFor has the drafts to a session saved, and gives the messages that are to be settled with them.
func (s *Set[M]) dueFor(session lifecycle.SessionID) []lifecycle.MessageID {
	if _, due := s.due[session]; !due {
		s.due[session] = nil
	}
	return s.due[session]
}

// Saver keeps the draft to a session. Its line has taken the messages in back, which had come back to
// their user: once it is kept, nobody need give them back any more.
type Saver func(session lifecycle.SessionID, text string, back []lifecycle.MessageID) error

// Save keeps the drafts that have changed, each with those of all screens for that session: one
// that is sent takes no other screen's along. A long one that takes its time is not overtaken by a
// newer one, and nobody who draws waits for it. When it returns, all that was put before is kept, or is
// due again at the next Save: a message that came back, and was sent anew, would come back once more.
func (s *Set[M]) Save(save Saver) {
	s.saving.Lock()
	defer s.saving.Unlock()
	for session, d := range s.takeDue() {
		if save(session, d.text, d.back) != nil {
			s.dueAgain(session, d.back)
		}
	}
}

func (s *Set[M]) dueAgain(session lifecycle.SessionID, back []lifecycle.MessageID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.due[session] = append(back, s.dueFor(session)...)
}

// Save is Set.Save.
func (t *Seat[M]) Save(save Saver) { t.set.Save(save) }

// dueDraft is what is to be saved of a session.
type dueDraft struct {
	text string
	back []lifecycle.MessageID
}

func (s *Set[M]) takeDue() map[lifecycle.SessionID]dueDraft {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := map[lifecycle.SessionID]dueDraft{}
	for session, back := range s.due {
		text := s.left[session]
		for _, seat := range s.seats {
			text = join(text, seat.drafts[session])
		}
		due[session] = dueDraft{text, back}
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
