package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

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
	m.disarm()
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
