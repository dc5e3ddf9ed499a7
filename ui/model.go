package ui

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/changes"
	"pawl/ui/completion"
	"pawl/ui/composer"
	"pawl/ui/dashboard"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/notice"
	"pawl/ui/pane"
	"pawl/ui/replay"
	"pawl/ui/rewind"
	"pawl/ui/screens"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// model is the screen: the only tea.Model. Its parts are plain structs; what is
// shown is folded from records, and nothing of it is kept in a widget.
type model struct {
	ctx     context.Context
	options Options
	seat    *screens.Seat[*model] // among the screens of the session
	keys    []group

	out       *terminal.Output // nil where that is no terminal
	term      terminal.Features
	looks     terminal.Looks
	theme     draw.Theme
	glyphs    draw.Glyphs
	markdown  *draw.Prose
	signals   signals
	graphemes bool // the terminal counts the cells of whole graphemes

	width, height int
	clock         terminal.Clock

	runs  *transcript.Runs
	talks map[lifecycle.SessionID]*transcript.Conversation
	open  lifecycle.SessionID // the session with the focus
	split pane.Split          // what stands beside the conversation
	card  lifecycle.SessionID // the card that has the focus, empty for the composer
	cards []transcript.Card   // room for those of docked, which each picture fills again
	views map[lifecycle.SessionID]*view
	seen  map[lifecycle.SessionID]Seen
	dock  dock.Dock

	chosen lifecycle.MessageID // of the messages that wait, the one that has the focus; empty for none
	edits  map[lifecycle.SessionID]*messageEdit

	reader *reader // the focus on a block, nil without
	search *search // nil without

	composers   map[lifecycle.SessionID]*composer.Composer
	keyedAt     time.Time // of the last key that was not for a question
	pressedAt   time.Time // of the key that acts now, where it was held
	letterHeld  heldLetter
	holds       int       // how many letters were held
	deletedAt   time.Time // of the last Ctrl+D that deleted
	draftDue    bool
	savedDrafts map[lifecycle.SessionID]string // the drafts that are saved
	writtenTo   map[lifecycle.SessionID]bool   // subagents that were written to since their view was opened
	sending     []retype                       // texts that are on their way
	pastedNames map[string]bool                // what pasted texts named outside the folder
	recalling   *completion.Prompts            // the search in earlier prompts, nil while there is none

	details     bool
	keepWaiting map[lifecycle.RunID]bool
	asking      asking
	grants      []lifecycle.StandingGrant // in force, as they were read last
	dialog      *dialog
	picker      *picker
	denials     *approval.Denied // nil without
	rewinding   *rewind.View     // nil without
	follows     atomic.Bool      // another screen comes after this one
	help        *draw.Body
	dashboard   *dashboard.Board
	changes     *changes.View // nil without
	review      review
	boardOrder  dashboard.Order // as it was left
	boardStamp  int             // another one whenever a row of it changed without a record
	history     dashboard.Log
	commands    []typedCommand // that a line can begin with
	completion  completion.List
	modelNames  []string // that were listed last
	files       completion.Folder
	armed       arming
	wasArmed    arming // by the key before the one that acts now
	notice      notice.Notice
	written     string // the path of the newest export
	underWay    int    // commands under way
	detaching   bool   // detaches when they are done
	leaving     bool   // quits when the last run ends
	waking      bool   // the parent is about to be woken
	allStopped  bool   // as in lifecycle.Updates
	ending      Ending
	crash       terminal.Crash // a bug that ended the screen

	fault         string // why the log cannot be written
	broken        string // why it cannot be read
	unprotected   string // which protection is missing
	healthWarning string // what is wrong outside

	replay replay.State                                     // where the replay stands
	before map[lifecycle.SessionID]*transcript.Conversation // as it was when the replay went back; nil: it has not

	picture picture
}

// arming is a key that counts when it comes twice.
type arming struct {
	action  string // stop, quit
	session lifecycle.SessionID
	until   time.Time
}

// armedFor is how long a first press counts.
const armedFor = 2 * time.Second

func newModel(ctx context.Context, options Options, term terminal.Features, now func() time.Time) *model {
	m := &model{
		ctx: ctx, options: options, keys: options.table(), commands: typedCommands(), term: term,
		glyphs:      draw.NewGlyphs(term.ASCII),
		clock:       terminal.Clock{Ctx: ctx, Read: now},
		open:        options.Snapshot.Root,
		split:       pane.Split{Off: options.Split == splitOff},
		views:       map[lifecycle.SessionID]*view{},
		composers:   map[lifecycle.SessionID]*composer.Composer{},
		savedDrafts: map[lifecycle.SessionID]string{},
		writtenTo:   map[lifecycle.SessionID]bool{},
		seen:        map[lifecycle.SessionID]Seen{},
		edits:       map[lifecycle.SessionID]*messageEdit{},
		keepWaiting: map[lifecycle.RunID]bool{},
		review:      review{writing: changes.NewWriting(options.Comments)},
		width:       options.Width, height: options.Height,
	}
	if r := options.Recorded; r != nil && r.Replay != nil {
		m.replay = r.Replay.Before()
	}
	m.applyFirstTheme()
	m.begin()
	if options.TrustPrompt != nil {
		m.dialog = m.trustDialog(options.TrustPrompt)
	}
	maps.Copy(m.seen, options.Seen)
	if m.options.Screens == nil {
		m.options.Screens = NewScreens()
	}
	var drafts map[lifecycle.SessionID]string
	m.seat, drafts = m.options.Screens.set.Join(options.Drafts)
	for session, text := range drafts {
		m.composerOf(session).Set(text)
		m.savedDrafts[session] = text
	}
	return m
}

// talk is the conversation of a session.
func (m *model) talk(session lifecycle.SessionID) *transcript.Conversation {
	c, ok := m.talks[session]
	if !ok {
		c = transcript.NewConversation(session, m.runs)
		m.talks[session] = c
	}
	return c
}

// line is the composer of the session with the focus.
func (m *model) line() *composer.Composer { return m.composerOf(m.open) }

func (m *model) composerOf(session lifecycle.SessionID) *composer.Composer {
	c, ok := m.composers[session]
	if !ok {
		c = &composer.Composer{Goal: -1, History: append([]string(nil), m.options.History...)}
		m.composers[session] = c
	}
	c.Shells = m.edits[session] == nil // what waits is a message, whatever it begins with
	return c
}

func (m *model) say(tone draw.Tone, text sanitize.Text) {
	m.notice = notice.Notice{Text: text, Tone: tone}
}

// unsay takes the answer to the last key away.
func (m *model) unsay() { m.notice = notice.Notice{} }

// moving reports whether anything on the screen changes with time.
func (m *model) moving() bool {
	if m.recorded() {
		return m.replay.Moving()
	}
	muted := m.dialog != nil && m.dialog.Stays && !m.quiet(m.clock.Read())
	return m.runs.Working() > 0 || m.armed.action != "" || m.lingering() || muted
}

// cardOf gathers what the card of a run shows.
func (m *model) cardOf(run lifecycle.Run) transcript.Card {
	card := transcript.Card{
		Run: run, Progress: m.runs.Progress[run.ID],
		Unsaved: m.runs.Lost(run.ID), Patient: m.keepWaiting[run.ID],
		Selected: m.card == run.Session, Open: m.shows(run.Session), Unread: m.unread(run),
		Earlier: m.runs.Latest(run.Session).ID != run.ID || m.options.Forked.had(run),
		Denied:  m.runs.DeniedIn(run), Over: m.recorded(),
		Held: run.Notification.Pending() && run.Parent == m.runs.Root() && !m.waking && !m.recorded() && !m.runs.Alive(m.runs.Root()),
	}
	if !m.recorded() || m.replay.Moving() {
		card.Pulse = m.runs.Pulses[run.ID]
	}
	if run.State == lifecycle.StateQueued {
		card.Position = m.runs.Position(run.ID)
	}
	return card
}
