package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// review is what the screen keeps of the changes of files, beside the view of them.
type review struct {
	writing  *changes.Writing // comments, also while no view is open
	grouping changes.Grouping // as the view was left
	layout   changes.Layout

	reading, stale bool // the listing is being read; more has come meanwhile
	comparing      bool // diffs are being found
	landing        bool // something is being landed or sent back
}

func changesKeys() []binding {
	on := func(change func(*changes.View)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.inChanges(change) }
	}
	step := func(by int) func(*model) tea.Cmd { return on(func(v *changes.View) { v.Step(by) }) }
	page := func(by int) func(*model) tea.Cmd { return on(func(v *changes.View) { v.Page(by) }) }
	edge := func(by int) func(*model) tea.Cmd { return on(func(v *changes.View) { v.Edge(by) }) }
	hunk := func(by int) func(*model) tea.Cmd { return on(func(v *changes.View) { v.NextHunk(by) }) }
	file := func(by int) func(*model) tea.Cmd { return on(func(v *changes.View) { v.NextFile(by) }) }
	return append(landingKeys(), []binding{
		{keys: []string{"up", "k"}, at: atChanges, moves: true, do: step(-1), show: "↑, ↓", help: "previous or next file or line; pgup and pgdn, home and end too"},
		{keys: []string{"down", "j"}, at: atChanges, moves: true, do: step(1)},
		{keys: []string{"pgup"}, at: atChanges, do: page(-1)},
		{keys: []string{"pgdown"}, at: atChanges, do: page(1)},
		{keys: []string{"home"}, at: atChanges, do: edge(-1)},
		{keys: []string{"end"}, at: atChanges, do: edge(1)},
		{keys: []string{"enter", "right"}, at: atChanges, do: on((*changes.View).Enter), show: "enter, →", help: "into the diff of the file; ← and esc lead back"},
		{keys: []string{"left"}, at: atChanges, do: on(func(v *changes.View) { v.Leave() })},
		{keys: []string{"tab"}, at: atChanges, do: on(func(v *changes.View) {
			if !v.Leave() {
				v.Enter()
			}
		})},
		{keys: []string{"n"}, at: atChanges, moves: true, do: hunk(1), show: "n, N", help: "the next changed place, or the one before"},
		{keys: []string{"N"}, at: atChanges, moves: true, do: hunk(-1)},
		{keys: []string{"]"}, at: atChanges, moves: true, do: file(1), show: "], [", help: "the next file, or the one before, also from a diff"},
		{keys: []string{"["}, at: atChanges, moves: true, do: file(-1)},
		{keys: []string{"g"}, at: atChanges, do: (*model).regroupChanges, help: "group by prompt, by run or by file"},
		{keys: []string{"v"}, at: atChanges, do: (*model).turnDiff, help: "side by side, or one below the other"},
		{keys: []string{"c"}, at: atChanges, do: (*model).writeComment, help: "write a comment on the line, or change it; enter keeps it, esc drops it"},
		{keys: []string{"d", "backspace", "delete"}, at: atChanges, do: (*model).removeComment, show: "d, del", help: "remove the comment on the line"},
		{keys: []string{"m"}, at: atChanges, do: (*model).sendComments, help: "send the comments: one message to each who wrote the lines"},
		{keys: []string{"esc"}, at: atChanges, do: (*model).escChanges, show: "esc, q", help: "back to the files, else close it; comments are kept"},
		{keys: []string{"q", "ctrl+c"}, at: atChanges, do: (*model).closeChanges},
		{keys: []string{"?"}, at: atChanges, do: (*model).openHelp},
		{keys: []string{"enter"}, at: atComment, do: (*model).keepComment},
		{keys: []string{"esc", "ctrl+c"}, at: atComment, do: (*model).dropComment},
		{keys: []string{"alt+enter", "shift+enter", "ctrl+j"}, at: atComment, do: edit(func(c *composer.Composer) { c.Insert("\n") })},
		{keys: []string{"ctrl+y"}, at: atComment, do: edit((*composer.Composer).Yank)},
	}...)
}

// changesTyped shows what the session that is open has changed: of the root, all.
func (m *model) changesTyped(string) tea.Cmd {
	if m.open == m.runs.Root() {
		return m.openChanges("")
	}
	return m.openChanges(m.open)
}

func (m *model) changesOfCard() tea.Cmd { return m.openChanges(m.target()) }

// openChanges shows what was changed in files, by one subagent alone or by all.
func (m *model) openChanges(only lifecycle.SessionID) tea.Cmd {
	if m.options.Changes == nil || m.options.Diff == nil {
		return m.unavailable("show the changes of")
	}
	m.changes = changes.New(only, m.review.grouping, m.review.layout, m.review.writing.Comments)
	m.review.reading = false
	return m.readChanges()
}

func (m *model) closeChanges() tea.Cmd {
	m.leaveChanges()
	return nil
}

// leaveChanges closes the view. A comment that is being written stands on its line as far as it is.
func (m *model) leaveChanges() {
	if m.changes == nil {
		return
	}
	if m.review.writing.Typing() {
		m.review.writing.Keep()
	}
	m.review.grouping, m.review.layout = m.changes.By, m.changes.Layout
	m.changes = nil
}

// escChanges goes back to the files or, from there, closes the view.
func (m *model) escChanges() tea.Cmd {
	if !m.changes.Leave() {
		return m.closeChanges()
	}
	return m.inChanges(func(*changes.View) {})
}

// inChanges follows a key that moves in the view: what comes into sight is compared.
func (m *model) inChanges(change func(*changes.View)) tea.Cmd {
	change(m.changes)
	return m.compareChanges()
}

func (m *model) regroupChanges() tea.Cmd {
	return m.inChanges(func(v *changes.View) { v.Regroup(1) })
}

func (m *model) turnDiff() tea.Cmd {
	return m.inChanges(func(v *changes.View) { v.Layout = v.Layout.Next(v.Width()) })
}

// readChanges reads the listing, and once more where more has come meanwhile.
func (m *model) readChanges() tea.Cmd {
	if m.review.reading {
		m.review.stale = true
		return nil
	}
	m.review.reading, m.review.stale = true, false
	ctx, view, read := m.ctx, m.changes, m.options.Changes
	return func() tea.Msg {
		listing, err := read(ctx, view.Only)
		return loaded{nil, func(m *model) tea.Cmd { return m.takeChanges(view, listing, err) }}
	}
}

func (m *model) takeChanges(view *changes.View, listing changes.Listing, err error) tea.Cmd {
	if view != m.changes { // it was closed, or another one opened
		return nil
	}
	m.review.reading = false
	switch {
	case err == nil:
		view.Fill(listing)
	case view.Read():
		m.say(draw.Failure, draw.Sprintf("the changes shown are not the newest: %s", sanitize.Line(err.Error())))
	default:
		view.Trouble = err.Error()
	}
	if m.review.stale {
		return tea.Batch(m.readChanges(), m.compareChanges())
	}
	return m.compareChanges()
}

// comparedAtOnce is how many diffs are found before the screen shows them.
const comparedAtOnce = 8

// compared is a diff that was found, and read for the screen.
type compared struct {
	of   changes.Which
	diff changes.Diff
	read *draw.Diff // of the chosen file; of the others the figures are wanted
}

// compareChanges finds the diffs that the view lacks, some at a time.
func (m *model) compareChanges() tea.Cmd {
	if m.changes == nil || m.review.comparing {
		return nil
	}
	wanted := m.changes.Wanted()
	if len(wanted) == 0 {
		return nil
	}
	m.review.comparing = true
	ctx, find, view := m.ctx, m.options.Diff, m.changes
	chosen := view.File().Which
	return func() tea.Msg {
		found := compareAll(ctx, find, wanted[:min(len(wanted), comparedAtOnce)], chosen)
		return loaded{nil, func(m *model) tea.Cmd {
			m.review.comparing = false
			for _, one := range found {
				view.Take(one.of, one.diff, one.read)
			}
			return m.compareChanges()
		}}
	}
}

func compareAll(ctx context.Context, find func(context.Context, changes.Which) (changes.Diff, error), wanted []changes.Which, chosen changes.Which) []compared {
	var found []compared
	for _, which := range wanted {
		diff, err := find(ctx, which)
		if err != nil {
			diff = changes.Diff{Why: err.Error()}
		}
		one := compared{of: which, diff: diff}
		if which == chosen {
			read := draw.ReadDiff(diff.Text)
			one.read = &read
		} else {
			one.diff = changes.Diff{Added: diff.Added, Removed: diff.Removed, Why: diff.Why}
		}
		found = append(found, one)
	}
	return found
}

// followChanges reads the listing again when a record says that it is old.
func (m *model) followChanges(records []lifecycle.Record) tea.Cmd {
	if m.changes == nil {
		return nil
	}
	for _, rec := range records {
		switch rec.Event.(type) {
		case lifecycle.FilesChanged, lifecycle.Landed, lifecycle.Rewound:
			return m.readChanges()
		case lifecycle.Ended, lifecycle.Started: // from then on it can be landed, or no more
			if rec.Session == m.changes.Only {
				return m.readChanges()
			}
		default: // no file was changed
		}
	}
	return nil
}

// writeComment opens a line for a comment where the cursor is.
func (m *model) writeComment() tea.Cmd {
	if m.recorded() {
		return m.onlyRead()
	}
	here, is := m.changes.Here()
	if !is {
		m.say(draw.Quiet, "there is no line here to comment on")
		return nil
	}
	m.changes.Enter()
	m.review.writing.Begin(here)
	return nil
}

// editComment changes what is written. It is kept as it is typed, as a draft is.
func (m *model) editComment(change func(*composer.Composer)) tea.Cmd {
	m.keyedAt = m.clock.Read()
	m.review.writing.Edit(change)
	return m.edited()
}

// keepComment ends the writing; without words there is no comment.
func (m *model) keepComment() tea.Cmd {
	m.review.writing.Keep()
	return m.commented()
}

// dropComment goes back to what was written before.
func (m *model) dropComment() tea.Cmd {
	m.review.writing.Drop()
	return m.commented()
}

func (m *model) removeComment() tea.Cmd {
	here, is := m.changes.Here()
	if !is || here.Text == "" {
		m.say(draw.Quiet, "no comment here")
		return nil
	}
	m.review.writing.Remove(here)
	return m.commented()
}

// commented follows a change of the comments.
func (m *model) commented() tea.Cmd {
	if m.changes != nil {
		m.changes.Rewritten()
	}
	return m.edited()
}

// saveComments keeps what was written since the last time.
func (m *model) saveComments() tea.Cmd {
	save, unsaved := m.options.SaveComment, m.review.writing.Unsaved()
	if save == nil || len(unsaved) == 0 {
		return nil
	}
	return func() tea.Msg {
		for _, one := range unsaved {
			save(one)
		}
		return nil
	}
}

// sendComments sends all comments, one message to each session that wrote the lines.
func (m *model) sendComments() tea.Cmd {
	all := m.review.writing.Messages()
	if len(all) == 0 {
		m.say(draw.Quiet, "no comments to send: c writes one on a line")
		return nil
	}
	var sent []tea.Cmd
	for _, message := range all {
		if message.Session == m.runs.Root() && m.options.Unready != "" {
			m.say(draw.Failure, "not sent to the main agent; your comments are still here")
			continue
		}
		sent = append(sent, m.sendComment(message))
	}
	return tea.Batch(sent...)
}

// commentsSent is what became of a message with comments.
type commentsSent struct {
	message changes.Message
	replied
}

func (m *model) sendComment(message changes.Message) tea.Cmd {
	m.leaving = false
	do := m.do(lifecycle.Send{Session: message.Session, Text: message.Text})
	return func() tea.Msg {
		r, _ := do().(replied)
		return commentsSent{message, r}
	}
}

// commentsSent takes the comments away that have arrived. Those that have not stay where they are.
func (m *model) commentsSent(msg commentsSent) tea.Cmd {
	if msg.err != nil {
		m.say(draw.Failure, draw.Sprintf("comments not sent to %s: %s", m.sessionName(msg.message.Session), sanitize.Line(msg.err.Error())))
		return nil
	}
	if id := msg.reply.Message; id != "" {
		m.seat.Sent(id)
	}
	m.review.writing.Arrived(msg.message)
	m.tellComments(msg)
	m.say(draw.Quiet, draw.Sprintf("sent to %s: %s", m.sessionName(msg.message.Session), words.Count(len(msg.message.Comments), "comment")))
	return tea.Batch(m.commented(), m.leaveCommented(msg.message.Session))
}

// tellComments has the other screens drop what has been sent from here, so that it is not sent from
// there too. Each message is news of its own.
func (m *model) tellComments(sent commentsSent) {
	name := fmt.Sprintf("comments %s %s", sent.message.Session, sent.reply.Message)
	m.seat.Tell(name, func(m *model) {
		before := m.review.writing.Count()
		m.review.writing.Arrived(sent.message)
		if n := before - m.review.writing.Count(); n > 0 {
			m.say(draw.Quiet, draw.Sprintf("sent from another screen: %s", words.Count(n, "comment")))
		}
		if m.changes != nil {
			m.changes.Rewritten()
		}
	})
}

// leaveCommented says that a person who has sent comments to a subagent does not look at it, unless
// they do: then they leave it later.
func (m *model) leaveCommented(session lifecycle.SessionID) tea.Cmd {
	switch {
	case session == m.runs.Root():
		return nil
	case m.shows(session):
		m.writtenTo[session] = true
		return nil
	}
	return m.do(lifecycle.Leave{Session: session})
}

func (m *model) sessionName(session lifecycle.SessionID) sanitize.Text {
	if session == m.runs.Root() {
		return "the main agent"
	}
	return draw.Sprintf("%q", wording.Name(m.runs.Latest(session)))
}
