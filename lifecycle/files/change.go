package files

import (
	"time"

	"pawl/lifecycle"
)

// Source says by what a file was changed.
type Source string

// The sources of a change.
const (
	Tool    Source = Source(lifecycle.ChangedByTool)
	Command Source = Source(lifecycle.ChangedByCommand)
	Landing Source = "landing" // a person brought it from a worktree
	Rewind  Source = "rewind"  // a person took it back
)

// Change is one file that was changed, and where in the log that stands. One record may hold
// several.
type Change struct {
	Seq     lifecycle.Seq
	Time    time.Time
	Session lifecycle.SessionID // of the agent: of a shell, that which started it
	Run     lifecycle.RunID     // that changed it; of a landing, the subagent's; of a rewind, the newest of the session
	Call    lifecycle.CallID    // empty for a shell in the background, a landing and a rewind
	Source  Source
	Folder  string            // absolute
	Beside  []lifecycle.RunID // whose commands ran at the same time: it may be theirs
	lifecycle.FileChange
}

// Unwatched is a command of which it is not known, or not wholly, what it changed.
type Unwatched struct {
	Seq     lifecycle.Seq
	Time    time.Time
	Session lifecycle.SessionID // as of a Change
	Run     lifecycle.RunID
	Call    lifecycle.CallID // empty for a shell in the background
	Folder  string
	Why     string
}

// PointKind says what a point is.
type PointKind string

// The kinds of point.
const (
	AtPrompt  PointKind = "prompt"
	AtLanding PointKind = "landing"
	AtRewind  PointKind = "rewind"
)

// Point is a record before which a session can be taken back.
type Point struct {
	Seq     lifecycle.Seq
	Time    time.Time
	Kind    PointKind
	Session lifecycle.SessionID // the root's, but for a landing and the rewind of one subagent's files
	Run     lifecycle.RunID
	// Text is, of a prompt, all that the person wrote; of a landing, the description of the
	// subagent; of a rewind, the first line of the prompt that it went back to.
	Text  string
	Files int // how many a landing or a rewind has changed
}
