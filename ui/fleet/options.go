package fleet

import (
	"context"
	"io"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// Options are what the screen is given. The functions are called from goroutines of its own, never
// while it draws; each ends with its ctx. Their errors are shown as they are: one line, what
// happened and what to do.
type Options struct {
	// Follow calls show with the whole picture now and whenever anything of it has changed, until ctx
	// ends. show never waits; a picture that a newer one overtakes is not drawn. It keeps the
	// picture, which must not be changed afterwards.
	Follow func(ctx context.Context, show func(Picture)) error
	// Peek reads the newest records of a session, oldest first. It is called again when the line
	// of the session has changed, once a second at most. Nil: there is no conversation to look at.
	Peek func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error)
	// Answer allows the call of a question once, or refuses it.
	Answer func(ctx context.Context, session lifecycle.SessionID, question lifecycle.QuestionID, yes bool) error
	// Stop ends all that a hosted session has at work.
	Stop func(ctx context.Context, session lifecycle.SessionID) error
	// Send gives a hosted session a message of its user.
	Send func(ctx context.Context, session lifecycle.SessionID, text string) error

	// Openable says why the screen cannot be left for a session; nil: it can. A nil function: for any.
	Openable func(ctx context.Context, session lifecycle.SessionID) error

	// Folder is where a new session begins if no line is selected, as a path.
	Folder string
	// Place makes a path of a folder as it was typed, and says why no session can begin there. Nil:
	// what was typed is the path.
	Place func(ctx context.Context, typed string) (string, error)
	// Folders lists what a typed folder can be completed to. Nil: Tab completes nothing.
	Folders func(ctx context.Context, typed string) []string
	// Suspend is Ctrl+Z, as in ui.Options.
	Suspend func(ctx context.Context) error

	// Trouble is said at first: why one is back here.
	Trouble string
	// Select is the session that is selected first; empty: the first line.
	Select lifecycle.SessionID
	// Drafts were typed to sessions and not sent, as an earlier Ending has them.
	Drafts map[lifecycle.SessionID]string

	// Theme is auto, dark, light or contrast; empty is auto.
	Theme string
	// ReducedMotion asks that no cursor blinks.
	ReducedMotion bool

	// In, Out and Env stand for the terminal and its variables, as in ui.Options.
	In            io.Reader
	Out           io.Writer
	Env           []string
	Width, Height int
	// Sizes gives the size of the terminal, as in ui.Options.
	Sizes <-chan terminal.Size
	// Untidy is called if the terminal may not have its modes back, as in ui.Options.
	Untidy func()
}

// Ending says how the user left the screen. The zero Ending: to the shell.
type Ending struct {
	Attach lifecycle.SessionID // goes on with this session
	Begin  string              // goes on with a new session in this folder, a path as Options.Place gave it
	// Drafts is what was typed to sessions and not sent, however the screen has ended.
	Drafts map[lifecycle.SessionID]string
}
