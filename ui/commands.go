package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// Commands are what typed commands need from outside. What is nil is not offered,
// and its command says so.
type Commands struct {
	// Sessions lists root sessions, the newest first: those of this folder, or of all.
	Sessions func(ctx context.Context, everywhere bool) ([]Session, error)
	// Peek reads the newest records of a root session, oldest first.
	Peek func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error)
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

	// Types lists the types of subagents, and in one line each what is wrong with
	// their files.
	Types func(ctx context.Context) (types []Type, problems []string)
	// Servers lists the MCP servers as they are now. It does not wait for them.
	Servers func() []Server

	// Modes are the permission modes; SetMode makes the coming calls follow another one.
	Modes   []Mode
	SetMode func(mode string) error

	// Formats are what Export can write; the first is that of the key.
	Formats []Format

	// Nearest is the candidate that somebody most likely meant.
	Nearest func(word string, candidates []string) string
	// Hello is said when the screen stands.
	Hello Hello
}

// Hello is a line about how one came to this session.
type Hello struct {
	Words   string
	Trouble bool // it says what went wrong
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
}

// Mode is a permission mode.
type Mode struct{ Name, Means string }

// Format is a way to write a session down.
type Format struct {
	Name, Means string
	Brief       bool // it can be one page
}

// greetBack says the line that a switch left.
func (m *model) greetBack() {
	hello := m.options.Commands.Hello
	tone := draw.Quiet
	if hello.Trouble {
		tone = draw.Failure
	}
	m.say(tone, sanitize.Line(hello.Words))
}

// without says that a command has nothing to work with.
func (m *model) without(what sanitize.Text) tea.Cmd {
	m.say(draw.Quiet, draw.Sprintf("nothing here to %s", what))
	return nil
}

// meant is the end of a line about a word that is none of these: the nearest of them.
func (m *model) meant(word string, names []string) sanitize.Text {
	if m.options.Commands.Nearest == nil || len(names) == 0 {
		return ""
	}
	near := m.options.Commands.Nearest(word, names)
	if near == "" {
		return ""
	}
	return draw.Sprintf("; did you mean %s?", near)
}

// remark adds a line about the session to what is shown of it. It is no record. Where
// nothing has been said yet the answer to the key is enough.
func (m *model) remark(text sanitize.Text) {
	root := m.talk(m.runs.Root())
	m.say(draw.Quiet, text)
	if len(root.Blocks) == 0 {
		return
	}
	b := &transcript.Block{Kind: transcript.Note, Seq: m.options.Snapshot.Seq, At: m.clock.Read(), Tone: draw.Quiet, Sign: draw.Dot, Text: string(text)}
	if n := len(root.Records); n > 0 {
		b.Seq = root.Records[n-1].Seq
	}
	root.Remarks = append(root.Remarks, root.Add(b))
	m.notice = notice{}
}
