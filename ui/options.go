package ui

import (
	"context"
	"io"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/export/formats"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/changes"
	"pawl/ui/rewind"
	"pawl/ui/terminal"
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
	// OpenedAt is the newest record that the session had once its process had opened it: what came later
	// has happened in it since. It is 0 for a new one.
	OpenedAt lifecycle.Seq
	// Recorded is set where the session is over and is only looked at; nil: it is driven.
	Recorded *Recorded
	// Open gives the session whole, once; nil where Snapshot and Tail are. Until then
	// Snapshot has no runs. It is called while the screen is shown already, and an
	// error of it ends the screen.
	Open func(ctx context.Context) (Opened, error)
	// Forked says what this session was forked from; nil: it was begun.
	Forked *Forked
	// Older reads the newest records of one session before a record, at most
	// limit of them, oldest first. An empty answer means that there are no more.
	Older func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error)

	// Records reads the log of the root session: the records after a number, in order, at
	// most limit, as far as the session is shown. It may give what the watch has still to
	// bring. The timeline of an old session is read through it.
	Records func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error)

	Model  string // as in anthropic/claude-…
	Effort string // that it is asked for; empty: it decides
	Folder string // as people write it: ~/src/pawl
	// Workspace is the folder as a path from the root: its files are links where the
	// terminal takes them. Empty: they are none.
	Workspace string
	Branch    string // empty outside a repository
	Version   string
	Mode      string // the permission mode
	Demo      bool   // the model is a script: say so
	Keyless   bool   // no provider can be asked: say how to get a key
	Context   int    // tokens that the model takes; 0 where that is not known
	Slots     int    // subagents that may run in the background at once; 0 where that is not known

	// Hide masks what is seen outside of the screen: titles and notifications.
	Hide mask.Mask

	// Export writes the session to a new file and returns its whole path. Without a format
	// it takes the one that the file's ending says, else the first; the file is as it was
	// typed, and empty: into the folder of exports. It reports how much of its work is done,
	// and never more than all of it.
	Export func(ctx context.Context, as formats.Options, file string, report func(done, total int64)) (path string, err error)
	// History holds earlier prompts, oldest first; Remember keeps one more.
	History  []string
	Remember func(prompt string)
	// First is what the user says as soon as the screen stands; empty: nothing.
	First string
	// Drafts were typed to a session, the root's and subagents', and not sent when
	// the last process ended; SaveDraft keeps what is typed now. Its line has taken the
	// messages in back, which are in no Returned once it is kept.
	Drafts    map[lifecycle.SessionID]string
	SaveDraft func(session lifecycle.SessionID, text string, back []lifecycle.MessageID) error
	// Returned are the records of messages that have come back to their user, and that no
	// draft holds: no screen was there.
	Returned []lifecycle.Record

	// Changes lists what was changed in files: by the whole session or, with only, by one of its
	// subagents; Diff finds the difference of one of these.
	Changes func(ctx context.Context, only lifecycle.SessionID) (changes.Listing, error)
	Diff    func(ctx context.Context, which changes.Which) (changes.Diff, error)
	// Land lands what was chosen of what a subagent has in its worktree. SendBack
	// sends what git cannot merge back to it. Both say in one line what they did.
	Land     func(ctx context.Context, agent lifecycle.SessionID, chosen []changes.Chosen) (changes.Outcome, error)
	SendBack func(ctx context.Context, agent lifecycle.SessionID) (changes.Outcome, error)
	// Comments were written on lines of changes and not sent when the last process ended.
	// SaveComment keeps one, in the place of any other on its line; one without text is forgotten.
	Comments    []changes.Comment
	SaveComment func(comment changes.Comment)

	// RewindPoints are the points to which the session can be taken back, the newest first;
	// RewindPlan says what that would do to files, of the session or of one subagent alone; Rewind
	// does it, wholly or not at all.
	RewindPoints func(ctx context.Context) ([]rewind.Point, error)
	RewindPlan   func(ctx context.Context, to lifecycle.Seq, only lifecycle.SessionID) (rewind.Plan, error)
	Rewind       func(ctx context.Context, choice rewind.Choice) (rewind.Done, error)

	// Files lists what a message can name in the folder of a session, which is
	// empty for the folder of the root's first run: files, and folders with a slash
	// behind them, the nearest first. Nil: nothing is completed behind @.
	Files func(ctx context.Context, folder string) []string
	// Picture gives the name under which a pasted text, which may be quoted or
	// escaped, can be mentioned, if it is the path of a picture; empty if it is not.
	Picture func(ctx context.Context, pasted string) string
	// Clipboard reads what was copied on the system of the terminal. It takes a few seconds at most.
	Clipboard func(ctx context.Context) (Clipping, error)
	// Seen is how far a person has seen each subagent's session; SaveSeen keeps it
	// for the next time that the session is opened.
	Seen     map[lifecycle.SessionID]Seen
	SaveSeen func(session lifecycle.SessionID, seen Seen)
	// Edit lets the user change a text in the editor of their choice, which has the
	// terminal until it ends, and gives what was left. It ends the editor with ctx.
	// An error says in one line why there is no such text. It is called while the
	// screen has let go of the terminal.
	Edit func(ctx context.Context, text string) (string, error)

	// Suspend is Ctrl+Z. It is called while the screen has let go of the terminal, and
	// returns when its user is back, or at once when ctx ends: the terminal is then not
	// touched any more. The process goes on, with its other screens. An error says in one
	// line why nothing was suspended.
	Suspend func(ctx context.Context) error

	// Unready says in one line why the model cannot be asked and what to do; empty
	// where it can. It stands on the screen, and what is typed is not sent.
	Unready string
	// Unprotected says in one line which protection is missing; empty where none is. It
	// is asked once the screen stands, on a goroutine of its own, and its line stands
	// where nothing has been said yet. Nil: nothing is missing.
	Unprotected func() string

	// TrustPrompt is asked about before anything else; nil: there is none.
	TrustPrompt *TrustPrompt
	// Permissions lists the rules that hold here, the strictest first. It may read a
	// file.
	Permissions func() []approval.Rule
	// Grants lists what a person has allowed beyond one call and is in force still; Revoke
	// takes one back.
	Grants func() []lifecycle.StandingGrant
	Revoke func(ctx context.Context, grant lifecycle.StandingGrant) error
	// Allowed is the file, as people write it, in which an answer for always is kept.
	Allowed string
	// Health calls tell with the status line's word on what is outside of Pawl, now
	// and whenever it changes, until ctx ends; empty where all is well. It runs on a
	// goroutine of its own.
	Health func(ctx context.Context, tell func(words string))

	// Commands are what typed commands need from outside.
	Commands Commands
	// Theme is auto, dark, light or contrast; empty is auto. KeepTheme keeps one that
	// was chosen on the screen for the next time; nil where a setting names one.
	Theme     string
	KeepTheme func(name string)
	// ReducedMotion asks for reduced motion: no sign turns, no cursor blinks, and figures
	// change once a second at most.
	ReducedMotion bool
	// Split says where a subagent's session opens: auto, beside the conversation where
	// both have room, or off; empty is auto.
	Split string
	// Notify is how the user is called while the window has no focus: auto, bell,
	// desktop or off; empty is auto.
	Notify string

	// Screens are all screens of the session in this process, of which this is one; nil: there
	// is no other. Drafts and SaveDraft, Seen and SaveSeen are then of all of them together.
	Screens *Screens

	// In, Out and Env stand for the terminal and its variables; nil for the real
	// ones. NO_COLOR, TERM, COLORFGBG, LC_ALL, LC_CTYPE and LANG are read from Env, and
	// what tells terminals, and lines to them, apart. Width and Height are for an Out
	// that is no terminal.
	In            io.Reader
	Out           io.Writer
	Env           []string
	Width, Height int
	// Sizes gives the size of the terminal whenever it has changed, for a process that
	// hears no SIGWINCH because the terminal belongs to another session. They are taken at
	// once, and only the newest counts. Nil: the process hears it.
	Sizes <-chan Size
	// Untidy is called if the terminal may not have its modes back, as in terminal.Streams.
	Untidy func()
}

// Clipping is what was copied: a picture, by the name under which a message can mention it, else a
// text; neither where nothing was.
type Clipping struct{ Picture, Text string }

// Size is how large a terminal is, in cells.
type Size = terminal.Size

// Ending says how the user left the screen, for the host to do what follows.
type Ending struct {
	// Wait says that the user chose to let the subagents finish, and that the
	// screen has stayed until they had. Nothing is left to stop.
	Wait bool
	// Cause is what open runs are to be stopped with: CauseQuit when the user
	// left, empty when ctx ended, for then the host knows the cause.
	Cause lifecycle.Cause
	// Stop says that the user was asked about what goes on and has chosen to stop it, also where
	// the session is open elsewhere.
	Stop bool
	// Detach says that the session goes on without this screen: nothing is to be stopped,
	// and Cause is empty.
	Detach bool
	// Next is where the user goes on, on this same terminal; nil: the user has left.
	Next *Next
}

// Commands are what typed commands need from outside. What is nil is not offered,
// and its command says so.
type Commands struct {
	// Sessions lists root sessions, the newest first: those of this folder, or of all.
	Sessions func(ctx context.Context, everywhere bool) ([]Session, error)
	// Peek reads the newest records of a root session, oldest first.
	Peek func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error)
	// Prompts lists what people wrote to the root session, oldest first; Fork begins a new session
	// with all that this one has or, with before, had before one of them.
	Prompts func(ctx context.Context) ([]Prompt, error)
	Fork    func(ctx context.Context, before *Prompt) (lifecycle.SessionID, error)
	// Openable says why the screen cannot go on with a session; nil: it can.
	Openable func(ctx context.Context, session lifecycle.SessionID) error

	// Models lists models: what is known at once or, if ask is set, what the servers
	// say, which takes as long as the slowest of them may.
	Models func(ctx context.Context, ask bool) Models
	// SetModel makes the coming runs use another model, and remembers that. The error
	// says what is wrong with its name, and then nothing has changed.
	SetModel func(ctx context.Context, model string) (Model, error)
	// Priced says whether what a model costs is known. It does not wait for anything.
	Priced func(model string) bool

	// Efforts lists the levels of effort, with what each means for the model in use; SetEffort
	// makes the coming runs ask for one, and remembers that.
	Efforts   func() []Mode
	SetEffort func(ctx context.Context, level string) error

	// Types lists the types of subagents, and in one line each what is wrong with
	// their files.
	Types func(ctx context.Context) (types []Type, problems []string)
	// Context lists what fills the context of a session's model. It may read files.
	Context func(ctx context.Context, session lifecycle.SessionID) (agent.Context, error)
	// Servers lists the MCP servers as they are now. It does not wait for them.
	Servers func() []Server

	// Others are commands that are sent as messages: those of files, skills and servers, as they are
	// now; IsOther says whether a name, without its slash, stands for one. They wait for nothing.
	Others  func() []Other
	IsOther func(name string) bool

	// Modes are the permission modes; SetMode makes the coming calls follow another one.
	Modes   []Mode
	SetMode func(mode string) error

	// Formats are what Export can write; the first is that of the key.
	Formats []formats.Format

	// Nearest is the candidate that somebody most likely meant.
	Nearest func(word string, candidates []string) string
	// Hello is said when the screen stands.
	Hello Hello
}

// Hello is a line about how one came to this session.
type Hello struct {
	Words   string
	Trouble bool // it says what went wrong

	// Find finds the words where that takes a while: it is called beside the screen. Empty: nothing
	// is said. May be nil.
	Find func() string
}

// Other is a command that is sent as a message.
type Other struct {
	Name        string // without its slash
	Description string
	Hint        string // its arguments, as its author writes them; empty: it needs none
	Source      string // the file or server that it is of
}

// Type is a type of subagents.
type Type struct{ Name, Description, Tools, Model, Source string }

// Server is an MCP server.
type Server struct {
	Name, From string // From is the file that names it
	State      string
	Down       bool
	Tools      int
	Why        string // it is down
	Said       string // the newest line of its standard error
	Do         string // what mends it

	Prompts, Resources int
}

// Mode is a permission mode.
type Mode struct{ Name, Means string }
