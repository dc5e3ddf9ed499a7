package ui

import (
	"context"
	"io"

	"pawl/lifecycle"
)

// Route is the way to every session of a root, parent and subagents alike.
type Route interface {
	// Do carries out a command and returns when it is on disk.
	Do(ctx context.Context, command lifecycle.Command) (lifecycle.Reply, error)
	// Watch calls fn with all that happens after record from, until ctx ends.
	Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error
}

// Options are all that the screen knows of the world. Functions may be nil: what
// they are for is then not offered. They are called from goroutines of their
// own, never while the screen is being drawn.
type Options struct {
	Route    Route
	Snapshot lifecycle.Snapshot
	// Tail holds the newest records of the root session, oldest first, up to
	// Snapshot.Seq. It is empty for a new session.
	Tail []lifecycle.Record
	// Open gives the session whole, once; nil where Snapshot and Tail are. Until then
	// Snapshot has no runs. It is called while the screen is shown already, and an
	// error of it ends the screen.
	Open func(ctx context.Context) (Opened, error)
	// Older reads the newest records of one session before a record, at most
	// limit of them, oldest first. An empty answer means that there are no more.
	Older func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error)

	Model   string // as in anthropic/claude-…
	Folder  string // as people write it: ~/src/pawl
	Branch  string // empty outside a repository
	Version string
	Mode    string // the permission mode
	Demo    bool   // the model is a script: say so
	Context int    // tokens that the model takes; 0 where that is not known

	// Export writes the session to a file and returns its path.
	Export func(ctx context.Context) (path string, err error)
	// History holds earlier prompts, oldest first; Remember keeps one more.
	History  []string
	Remember func(prompt string)
	// Drafts were typed to a session, the root's and subagents', and not sent when
	// the last process ended; SaveDraft keeps what is typed now.
	Drafts    map[lifecycle.SessionID]string
	SaveDraft func(session lifecycle.SessionID, text string)

	// Unready says in one line why the model cannot be asked and what to do; empty
	// where it can. It stands on the screen, and what is typed is not sent.
	Unready string
	// Weak says in one line which protection is missing; empty where none is. It
	// is asked once the screen stands, on a goroutine of its own, and its line stands
	// where nothing has been said yet. Nil: nothing is missing.
	Weak func() string

	// Stranger is asked about before anything else; nil: there is none.
	Stranger *Stranger
	// Ailing calls tell with the status line's word on what is outside of Pawl, now
	// and whenever it changes, until ctx ends; empty where all is well. It runs on a
	// goroutine of its own.
	Ailing func(ctx context.Context, tell func(words string))

	// In, Out and Env stand for the terminal and its variables; nil for the real
	// ones. NO_COLOR, TERM, LC_ALL, LC_CTYPE and LANG are read from Env. Width
	// and Height are for an Out that is no terminal.
	In            io.Reader
	Out           io.Writer
	Env           []string
	Width, Height int
}

// Ending says how the user left the screen, for main to do what follows.
type Ending struct {
	// Wait says that the user chose to let the subagents finish, and that the
	// screen has stayed until they had. Nothing is left to stop.
	Wait bool
	// Cause is what open runs are to be stopped with: CauseQuit when the user
	// left, empty when ctx ended, for then main knows the cause.
	Cause lifecycle.Cause
}
