package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// editingKeys are those of readline that are no other's here, for every field that
// is a composer.
func editingKeys() []binding {
	var lines []binding
	for _, e := range composer.Edits() {
		lines = append(lines, binding{keys: e.Keys, at: typing, do: edit(e.Do), show: e.Show, help: e.Help})
	}
	return append(lines, binding{keys: []string{"ctrl+d"}, at: typing, do: (*model).deleteForward})
}

// composingKeys are those that come before what the same keys do elsewhere.
func composingKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+v"}, at: typing, do: (*model).pasteClipboard, help: "paste a picture that was copied, else text"},
		{keys: []string{"ctrl+r"}, at: typing, do: (*model).openRecall, help: "search earlier prompts"},
		{keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, at: typing, do: (*model).undo, help: "undo"},
		{keys: []string{"ctrl+o"}, at: typing, when: (*model).atPaste, do: (*model).togglePaste, help: "at a folded paste: open it; in it: fold it again"},
	}
}

func (m *model) undo() tea.Cmd {
	if !m.line().Undo() {
		m.say(draw.Quiet, "nothing to undo")
		return nil
	}
	return m.edited()
}

// atPaste reports whether the cursor is at a paste.
func (m *model) atPaste() bool {
	_, there := m.line().ChipAtCursor()
	return there
}

func (m *model) pasteHint() sanitize.Text {
	i, there := m.line().ChipAtCursor()
	switch {
	case !there:
		return ""
	case m.line().Chips[i].Open:
		return "ctrl+o folds the paste"
	}
	return "ctrl+o opens the paste"
}

func (m *model) togglePaste() tea.Cmd {
	line := m.line()
	if i, there := line.ChipAtCursor(); there {
		line.Toggle(i)
	}
	return nil
}

// newLineKeys are those of a line that goes on: they come before Enter's others.
func newLineKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, at: typing, when: (*model).continuesLine, do: (*model).continueLine},
	}
}

// continuesLine reports whether a backslash before the cursor asks for a new line, as in a shell.
// Two of them are one that is meant.
func (m *model) continuesLine() bool {
	line := m.line()
	before := line.Text[:line.At]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// continueLine puts a new line in the place of the backslash.
func (m *model) continueLine() tea.Cmd {
	return edit(func(c *composer.Composer) { c.Splice(c.Before(c.At), c.At, composer.Piece{Text: "\n"}) })(m)
}

// stillHeld is how long Ctrl+D on an empty line may be the key that has just emptied it,
// held a little too long: terminals repeat a key more often than that.
const stillHeld = 500 * time.Millisecond

// atEndOfInput reports whether Ctrl+D is the end of the input: nothing is typed.
func (m *model) atEndOfInput() bool { return m.lineEmpty() && !m.editing() }

// endInput quits, after a question while something runs.
func (m *model) endInput() tea.Cmd {
	now := m.clock.Read()
	if now.Sub(m.deletedAt) < stillHeld {
		m.deletedAt = now
		return nil
	}
	return m.quitTyped("")
}

// deleteForward deletes the character behind the cursor.
func (m *model) deleteForward() tea.Cmd {
	m.deletedAt = m.clock.Read()
	return edit(composer.DeleteForward)(m)
}

// dropped is what a path that was pasted stands for: the name of a picture.
type dropped struct {
	session lifecycle.SessionID
	pasted  string
	name    string
}

// drop looks at what was pasted: terminals paste the path of a file that is dropped
// on them. If that is a picture's the path becomes a mention of it.
func (m *model) drop(pasted string) tea.Cmd {
	look := m.options.Picture
	if look == nil || m.line().Shell() || !pictured(pasted) {
		return nil
	}
	ctx, session := m.ctx, m.open
	return func() tea.Msg { return dropped{session, pasted, look(ctx, pasted)} }
}

// pictured says that a text may be the path of a picture, quoted or not.
func pictured(text string) bool {
	const longest = 4 << 10 // of a path, in the kernel
	text = strings.ToLower(strings.Trim(text, " '\""))
	if len(text) > longest || strings.ContainsAny(text, "\r\n") {
		return false
	}
	for _, ending := range []string{".png", ".jpg", ".jpeg", ".gif", ".webp"} {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}

// pictureCame takes in what was found of a picture that was dropped on the terminal, or copied.
func (m *model) pictureCame(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case dropped:
		return m.dropped(msg)
	case clipped:
		return m.clipboardRead(msg)
	}
	return nil
}

// dropped writes the mention where the path was pasted, if it is still there.
func (m *model) dropped(d dropped) tea.Cmd {
	line := m.composerOf(d.session)
	at := strings.LastIndex(line.Text, d.pasted)
	if d.name == "" || at < 0 {
		return nil
	}
	end, cursor := at+len(d.pasted), line.At
	if strings.HasSuffix(line.Text[:at], "@") { // who pastes it behind one means the same
		at--
	}
	delete(m.pastedNames, agent.Mention{Name: d.name}.Bare())
	line.Delete(at, end, false)
	line.Insert(agent.Mention{Name: d.name}.String() + " ")
	if cursor < at {
		line.Move(cursor)
	} else {
		line.Move(line.At + max(0, cursor-end))
	}
	return m.edited()
}

// clipped is what was copied, for the line of a session.
type clipped struct {
	session lifecycle.SessionID
	Clipping
	err error
}

// pasteClipboard puts what was copied on the system into the line: a picture as a mention of it, else
// text.
func (m *model) pasteClipboard() tea.Cmd {
	read := m.options.Clipboard
	if read == nil {
		return m.unavailable("paste")
	}
	ctx, session := m.ctx, m.open
	return func() tea.Msg {
		copied, err := read(ctx)
		return clipped{session, copied, err}
	}
}

func (m *model) clipboardRead(c clipped) tea.Cmd {
	line := m.composerOf(c.session)
	switch {
	case c.err != nil:
		m.say(draw.Failure, draw.Sprintf("not pasted: %s", sanitize.Line(c.err.Error())))
	case c.Picture != "" && line.Shell():
		line.Insert(c.Picture)
	case c.Picture != "":
		line.Insert(agent.Mention{Name: c.Picture}.String() + " ")
	case c.Text != "" && c.session == m.open:
		return m.paste(c.Text)
	default:
		m.say(draw.Quiet, "nothing was copied that can be pasted")
		return nil
	}
	return m.edited()
}

// reach lists what a text names outside the folder and its user wrote or dropped
// there: what came with a paste they may not have read.
func (m *model) reach(text string) []string {
	return slices.DeleteFunc(agent.Reach(text), func(name string) bool {
		return m.pastedNames[agent.Mention{Name: name}.Bare()]
	})
}

// notePastedNames notes what a pasted text names there.
func (m *model) notePastedNames(pasted string) {
	for _, name := range agent.Reach(pasted) {
		if m.pastedNames == nil {
			m.pastedNames = map[string]bool{}
		}
		m.pastedNames[agent.Mention{Name: name}.Bare()] = true
	}
}

// draftDue comes a moment after a change in the line.
type draftDue struct{}

const draftDelay = 400 * time.Millisecond

// edited follows every change of a composer.
func (m *model) edited() tea.Cmd {
	m.disarm()
	if m.draftDue || m.options.SaveDraft == nil && m.options.SaveComment == nil {
		return nil
	}
	m.draftDue = true
	return terminal.After(m.ctx, draftDelay, func(time.Time) tea.Msg { return draftDue{} })
}

// saveDraft keeps what is typed, with the messages that are on their way.
func (m *model) saveDraft() tea.Cmd {
	m.draftDue = false
	comments := m.saveComments()
	if m.options.SaveDraft == nil {
		return comments
	}
	changed := map[lifecycle.SessionID]string{}
	for session := range m.composers {
		if text := m.draft(session); text != m.savedDrafts[session] {
			changed[session], m.savedDrafts[session] = text, text
		}
	}
	m.seat.Put(changed)
	seat, save := m.seat, m.options.SaveDraft
	return func() tea.Msg {
		seat.Save(save)
		if comments != nil {
			comments()
		}
		return nil
	}
}

// editor is the user's own, at work on the text of one line. It has the terminal
// itself, whatever streams it is offered; the screen waits for it, and nothing else
// does.
type editor struct {
	ctx     context.Context
	session lifecycle.SessionID
	before  string
	open    func(ctx context.Context, text string) (string, error)
	after   string
}

// Run returns when the editor has ended.
func (e *editor) Run() (err error) {
	e.after, err = e.open(e.ctx, e.before)
	return err
}

// rewritten is what an editor has made of a line, or why it has not.
type rewritten struct {
	session       lifecycle.SessionID
	before, after string
	err           error
}

func editorKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+g"}, at: typing, do: (*model).openEditor, help: "write in your editor ($VISUAL, $EDITOR)"},
	}
}

// openEditor gives the terminal to the user's editor, with the whole text.
func (m *model) openEditor() tea.Cmd {
	switch {
	case m.options.Edit == nil:
		m.say(draw.Quiet, "no editor is available here")
		return nil
	case m.takesNoMessages():
		m.say(draw.Quiet, noMessagesWords)
		return nil
	}
	e := m.editor()
	return m.out.Lend(e.Run, e.done)
}

func (m *model) editor() *editor {
	return &editor{ctx: m.ctx, session: m.open, before: m.line().Text, open: m.options.Edit}
}

func (e *editor) done(err error) tea.Msg { return rewritten{e.session, e.before, e.after, err} }

// rewritten takes over what the editor has left; pastes that still stand in it fold
// again. What came back into the line meanwhile stands before it; where the line became
// another one, what was written is not lost.
func (m *model) rewritten(r rewritten) tea.Cmd {
	return tea.Batch(m.returned(), m.takeRewritten(r))
}

func (m *model) takeRewritten(r rewritten) tea.Cmd {
	if r.err != nil {
		m.say(draw.Failure, draw.Sprintf("the line is unchanged: %s", sanitize.Line(r.err.Error())))
		return nil
	}
	text := strings.TrimSuffix(composer.UnixLines(r.after), "\n") // which editors end a file with
	if text == strings.TrimSuffix(r.before, "\n") {
		return nil
	}
	line := m.composerOf(r.session)
	if !strings.HasSuffix(line.Text, r.before) {
		line.Keep(text)
		m.say(draw.Caution, "the line has changed meanwhile: ctrl+y inserts what you wrote")
		return nil
	}
	line.Pasted = 0
	line.Splice(len(line.Text)-len(r.before), len(line.Text), line.Refolded(text))
	return m.edited()
}
