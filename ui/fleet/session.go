package fleet

import (
	"time"

	"pawl/lifecycle"
)

// Need is how much a session needs its user, and with that its section: the most first.
type Need int

// The needs, in the order of the sections.
const (
	NeedsYou Need = iota // it waits for an answer, or for a word
	Works                // something of it is queued or runs
	Unread               // it has ended, and nobody has looked since
	Recent               // the rest
	needs
)

// Picture is all that there is to show at one moment.
type Picture struct {
	Sessions []Session
	// Partial says that what the hosts say is still to come: the lines are about to be ordered by it.
	Partial bool
	// Trouble says in a line each what could not be read or asked: a host that does not answer.
	Trouble []string
	// DayCost is what all sessions of the user have cost today in US dollars, DayLimit what they may;
	// 0 where that is not known, or not limited.
	DayCost, DayLimit float64
	// Workers are the machines that take runs of others, by name.
	Workers []Worker
}

// Worker is a machine that takes runs of others. Its texts may hold anything.
type Worker struct {
	Name    string
	Version string // of Pawl
	Fits    bool   // it takes runs of this version
	Busy    int    // of its slots
	Slots   int
	Load    float64 // negative where that is not known
	Labels  []string
}

// Session is a root session as a line shows it. Its texts may hold anything: they are cleaned here.
type Session struct {
	ID        lifecycle.SessionID
	Title     string
	Folder    string // as people write it: ~/src/shop
	Workspace string // the same as a path from the root
	Need      Need
	Activity  string          // what it does, why it is quiet, or how it ended; may be empty
	State     lifecycle.State // of its newest run
	Since     time.Time       // since when it stands as it does: asks, works, has ended
	Subagents int             // alive
	Running   int             // subagents in a slot
	Queued    int             // subagents that wait for one
	Slots     int             // how many may run at once; 0 where that is not known
	Denied    int             // calls that were denied and not granted since
	CostUSD   float64         // 0 where none is known
	Tokens    int64
	Hosted    bool // a process drives it: it can be written to and stopped
	Screens   int  // that show it
	// Question is what it asks, the oldest of all; nil: nothing. Picture after picture it may be
	// another pointer. Questions is how many wait.
	Question  *lifecycle.Question
	Questions int
}

// same reports whether two pictures of a session show the same.
func (s Session) same(as Session) bool {
	if a, b := s.Question, as.Question; (a == nil) != (b == nil) || a != nil && a.ID != b.ID {
		return false
	}
	s.Question, as.Question = nil, nil
	return s == as
}

// asks is the question that waits for an answer; empty for none.
func (s Session) asks() lifecycle.QuestionID {
	if s.Question == nil {
		return ""
	}
	return s.Question.ID
}
