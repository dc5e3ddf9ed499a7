package screens

import (
	"slices"
	"sync"

	"pawl/lifecycle"
)

// Set is the screens of one session. M is what their news is for. Its methods, and those of its
// seats, may be called from any goroutine, and none waits for a screen.
type Set[M any] struct {
	saving sync.Mutex // held while drafts are being kept

	mu      sync.Mutex
	seats   []*Seat[M] // in the order in which they came
	left    map[lifecycle.SessionID]string
	due     map[lifecycle.SessionID][]lifecycle.MessageID // drafts that have changed since they were kept, and what they have taken back
	senders map[lifecycle.MessageID]*Seat[M]              // or who has taken it back
	settled map[lifecycle.MessageID]bool                  // taken back, and put
}

// Seat is one screen of a set.
type Seat[M any] struct {
	set    *Set[M]
	bell   chan struct{}
	drafts map[lifecycle.SessionID]string
	taken  map[lifecycle.MessageID]lifecycle.SessionID // taken back, and not put yet
	news   map[string]func(M)
}

// New returns a set without screens.
func New[M any]() *Set[M] {
	return &Set[M]{
		left:    map[lifecycle.SessionID]string{},
		due:     map[lifecycle.SessionID][]lifecycle.MessageID{},
		senders: map[lifecycle.MessageID]*Seat[M]{},
		settled: map[lifecycle.MessageID]bool{},
	}
}

// Join adds a screen. Drafts are those that are kept; the screen begins with what no other screen
// has in its lines.
func (s *Set[M]) Join(kept map[lifecycle.SessionID]string) (seat *Seat[M], drafts map[lifecycle.SessionID]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seat = &Seat[M]{
		set: s, bell: make(chan struct{}, 1), drafts: map[lifecycle.SessionID]string{}, taken: map[lifecycle.MessageID]lifecycle.SessionID{},
		news: map[string]func(M){},
	}
	begins := kept
	if len(s.seats) > 0 {
		begins = s.left
	}
	drafts = map[lifecycle.SessionID]string{}
	for session, text := range begins {
		drafts[session], seat.drafts[session] = text, text
	}
	s.left = map[lifecycle.SessionID]string{}
	s.seats = append(s.seats, seat)
	return seat, drafts
}

// Add takes in a draft that stands in no screen's line. It is for the next one that joins.
func (s *Set[M]) Add(session lifecycle.SessionID, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[session] = join(s.left[session], text)
}

// Leave ends a screen. What stood in its lines is for the next one.
func (t *Seat[M]) Leave() {
	s := t.set
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats = slices.DeleteFunc(s.seats, func(other *Seat[M]) bool { return other == t })
	for session, text := range t.drafts {
		s.left[session] = join(s.left[session], text)
	}
}

// Tell gives a piece of news to all other screens. Of the same name only the newest counts.
func (t *Seat[M]) Tell(name string, change func(M)) { t.set.tell(name, change, t) }

// Tell gives a piece of news to all screens.
func (s *Set[M]) Tell(name string, change func(M)) { s.tell(name, change, nil) }

func (s *Set[M]) tell(name string, change func(M), but *Seat[M]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seat := range s.seats {
		if seat == but {
			continue
		}
		seat.news[name] = change
		select {
		case seat.bell <- struct{}{}:
		default: // it has rung already
		}
	}
}

// Bell holds a ring when there is news.
func (t *Seat[M]) Bell() <-chan struct{} { return t.bell }

// News takes what has come since the last call.
func (t *Seat[M]) News() []func(M) {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	var changes []func(M)
	for _, change := range t.news {
		changes = append(changes, change)
	}
	clear(t.news)
	return changes
}

// Sent notes who has sent a message that waits.
func (t *Seat[M]) Sent(message lifecycle.MessageID) {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	t.set.senders[message] = t
}

// Taken notes that a message cannot come back any more.
func (t *Seat[M]) Taken(message lifecycle.MessageID) {
	t.set.mu.Lock()
	defer t.set.mu.Unlock()
	delete(t.set.senders, message)
}

// TakesBack reports whether a message to a session that has come back is for this screen: it has sent
// it, or, where its sender is gone, asks first. It does so once, for one screen; one that leaves before
// it has Put its lines leaves the message to the next that asks.
func (t *Seat[M]) TakesBack(session lifecycle.SessionID, message lifecycle.MessageID) bool {
	s := t.set
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := t.taken[message]; taken || s.settled[message] {
		return false
	}
	if sender := s.senders[message]; !slices.Contains(s.seats, sender) {
		s.senders[message] = t
	}
	if s.senders[message] != t {
		return false
	}
	t.taken[message] = session
	return true
}
