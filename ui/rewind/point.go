package rewind

import (
	"time"

	"pawl/lifecycle"
)

// Point is where a session can be taken back to.
type Point struct {
	Seq     lifecycle.Seq // of the record before which things become as they were
	Time    time.Time
	Kind    string // "prompt", "landing" or "rewind"
	Text    string
	Changed int // files that were changed since
}

// State says what would become of a file.
type State string

// The states of a file.
const (
	Back    State = "back"    // it is put back
	Already State = "already" // it is so already
	Left    State = "left"    // somebody else has changed it: it is put back only if it is chosen
	Cannot  State = "cannot"  // it cannot be put back
)

// File is one file that was changed since a point.
type File struct {
	Path    string
	State   State
	Why     string
	Writers []string
	Removed bool // putting it back removes it
}

// Plan is what would become of the files.
type Plan struct{ Files []File }

// Choice is what is taken back.
type Choice struct {
	To           lifecycle.Seq
	Conversation bool
	Files        bool
	Only         lifecycle.SessionID // the subagent whose files alone are taken back
	Chosen       []string            // files that are put back although somebody else has changed them
}

// Done says in one line what was taken back.
type Done struct {
	Words string
	Text  string // of the prompt, for the composer; empty: none
}
