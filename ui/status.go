package ui

import (
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/dashboard"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// renderStatus draws the last line: where one is, what runs, what it costs, and
// what the keys do. What matters least gives way first, the keys last.
func (m *model) renderStatus(c draw.Canvas) draw.Styled {
	c = c.Content()
	if m.recorded() {
		return m.renderRecordedStatus(c)
	}
	dim := c.Theme.Dim
	model := dim.Draw(m.modelWords())
	if m.options.Demo {
		model = c.Theme.Warn.Draw("DEMO")
	}
	folder := m.place(c)
	runs, work := m.work(c)
	spent := m.runs.Spent()
	var tokens draw.Styled
	if n := spent.Tokens(); n > 0 {
		tokens = dim.Draw(draw.Sprintf("%s%s tokens", transcript.Approximately(spent), draw.Tokens(n)))
	}
	full := dim.Draw(m.fullness())
	cost := dim.Draw(draw.Dollars(spent.Cost))
	mode := dim.Draw(sanitize.Line(m.options.Mode))
	if m.options.Mode == bypassMode {
		mode = c.Theme.Warn.Draw("bypass")
	}
	long, short := m.grantStatus() // this stays as long as there is room for anything
	wide, least := c.Theme.Warn.Draw(long), c.Theme.Warn.Draw(short)
	mode = c.Join(mode, wide)
	hint := c.Theme.Faint.Draw(m.hint())
	for _, parts := range [][]draw.Styled{
		{model, folder, mode, work, tokens, full, cost},
		{model, folder, mode, work, full, cost},
		{model, mode, work, full, cost},
		{model, mode, work, cost},
		{model, mode, work},
		{model, wide, work},
		{wide, work},
		{least, work},
		{least, runs},
		{least},
		{},
	} {
		line := "  " + c.Join(parts...)
		if draw.Cells(line)+draw.Cells(hint)+2 <= c.Width {
			return c.Between(line, hint)
		}
	}
	return c.CutStyled("  "+c.Join(model, work), c.Width)
}

// ruled reports whether the sums are on the screen: on the rule, or on a frame.
func (m *model) ruled() bool {
	return m.at()&covering&^atDialog == 0 && sharesOf(m.height).rule > 0
}

// work is what runs, unless the sums say it; and with what waits for a place and what is
// wrong outside, all that goes on.
func (m *model) work(c draw.Canvas) (runs, all draw.Styled) {
	if m.ruled() {
		return "", m.outside(c)
	}
	running, queued, shells := 0, 0, 0
	for _, run := range m.runs.Live() {
		switch {
		case run.Shell():
			shells++
		case !run.Subagent():
		case run.State == lifecycle.StateQueued:
			queued++
		default:
			running++
		}
	}
	var waits draw.Styled
	if running > 0 {
		runs = c.Theme.Accent.Draw(draw.Sprintf("%d running", running))
	}
	if queued > 0 {
		waits = c.Theme.Dim.Draw(draw.Sprintf("%d queued", queued))
	}
	if shells > 0 {
		runs = c.Join(runs, c.Theme.Accent.Draw(sanitize.Line(words.Count(shells, "shell"))))
	}
	return runs, c.Join(runs, waits, m.outside(c))
}

// outside is what is wrong outside of Pawl.
func (m *model) outside(c draw.Canvas) draw.Styled {
	return c.Theme.Warn.Draw(sanitize.Line(m.healthWarning))
}

// fullness is how much of the model's context the conversation takes, as far as
// both are known. A subagent may have another model.
func (m *model) fullness() sanitize.Text {
	used := m.talk(m.runs.Root()).Full
	if m.options.Context == 0 || used == 0 || m.open != m.runs.Root() {
		return ""
	}
	return draw.Sprintf("%d %% context", 100*used/int64(m.options.Context))
}

// hint is what the keys can do here, in a few words.
func (m *model) hint() sanitize.Text {
	if hint := m.shellHint(); hint != "" {
		return hint
	}
	switch m.at() {
	case atQueue:
		return m.queueHint()
	case atCard:
		return m.cardHint()
	case atView:
		if m.editing() {
			return m.queueHint()
		}
		if !m.lineEmpty() {
			return m.draftHint()
		}
		if m.sideBySide() {
			return "← close  tab other side"
		}
		return "← back  tab next"
	case atHelp:
		return m.helpHint()
	case atDashboard:
		return dashboard.Hint(m.width, m.cardHint())
	case atChanges:
		return m.changes.Hint(m.width)
	case atFilter:
		return "enter keep it  esc clear"
	case atPicker:
		return m.pickerHint()
	case atRecall:
		return "enter select  ctrl+r older  esc"
	case atQuestion:
		return m.askerHint()
	case atReason, atDialog, atDenials, atComment, atRewind:
		return ""
	case atCompletion:
		return m.completion.Hint()
	case atBlock:
		return m.blockHint()
	case atSearch:
		return "enter above  esc leave"
	case atRecorded:
		if m.sideBySide() {
			return "tab other side  " + m.recordedHint()
		}
		return m.recordedHint()
	case atComposer, typing, working, fields, covering, answering, fronts, covered, everywhere:
		return m.composerHint()
	}
	return "? keys"
}

func (m *model) composerHint() sanitize.Text {
	switch {
	case m.editing():
		return m.queueHint()
	case m.view().Held:
		return m.heldHint()
	case !m.lineEmpty():
		return m.draftHint()
	case m.sideBySide():
		return "tab other side  " + m.cardsHint()
	}
	return m.cardsHint()
}

// shellHint stands where a command of the user's own is typed or runs; empty elsewhere.
func (m *model) shellHint() sanitize.Text {
	switch {
	case m.at()&typing == 0:
	case m.hasUserShell():
		return "esc stops your command"
	case m.line().Shell():
		return "enter runs it  esc message"
	}
	return ""
}

// askerHint says how the dashboard is moved in and left while the question of a row has the
// other keys.
func (m *model) askerHint() sanitize.Text {
	if m.dashboard == nil || m.width < 60 {
		return ""
	}
	return "↑ ↓ runs  / filter  ctrl+t close"
}

// cardHint stands where a card has the focus. What the keys do on it stands below it,
// where that has room.
func (m *model) cardHint() sanitize.Text {
	switch {
	case m.recorded():
		return "enter open  esc back"
	case m.height >= airy:
		return "↑ ↓ move  esc back"
	}
	var words sanitize.Text
	for i, a := range m.actionsOn(m.runs.Latest(m.target())) {
		if i > 0 {
			words += "  "
		}
		words += draw.Sprintf("%s %s", a.Key, a.Few)
	}
	return words
}

// draftHint stands where something is typed: ? and ← belong to the text then. It
// is worth no room that a narrow screen lacks.
func (m *model) draftHint() sanitize.Text {
	if m.width < 60 {
		return ""
	}
	if hint := m.pasteHint(); hint != "" {
		return hint
	}
	return "alt+enter new line"
}

// renderNow draws what a session that is shown is doing, nil while it does nothing.
func (m *model) renderNow(c draw.Canvas, session lifecycle.SessionID) []draw.Styled {
	c = c.Content()
	run := m.runs.Latest(session)
	if run.State == "" || run.State.Terminal() {
		return m.renderPending(c, session, run)
	}
	card := m.cardOf(run)
	p := card.Progress
	elapsed, doing, summary := run.Elapsed(c.Now), m.doing(c, card), card.Summarizes()
	if summary {
		elapsed, doing = card.SummarizedFor(c.Now), sanitize.Line(p.Activity)
	}
	figures := sanitize.Line(words.Duration(elapsed))
	if n := p.OutputTokens; n > 0 {
		figures = draw.Sprintf("%s %s ↓ %s tok", figures, draw.Dot, draw.Tokens(n))
	}
	sign := c.Theme.State(run.State).Draw(c.Glyphs.State(run.State, c.Frame)) + " "
	right := m.stopHint(session, c.Width-draw.Cells(figures)-min(draw.Cells(doing), c.Width*2/3)-6)
	room := c.Width - draw.Cells(figures) - draw.Cells(right) - 6
	doing = c.CutWords(doing, max(8, room))
	line := sign + c.Theme.Dim.Draw(doing)
	if summary {
		line += card.SummaryBar(c, room-draw.Cells(doing), figures)
	}
	line += "  " + c.Theme.Faint.Draw(figures)
	return []draw.Styled{c.Between(line, c.Theme.Faint.Draw(right))}
}

// stopHint says what stops the run of a session that is shown, in as many words as fit a
// width; none where even the fewest do not, or the keys are about another session.
func (m *model) stopHint(session lifecycle.SessionID, width int) sanitize.Text {
	hints := []sanitize.Text{"esc stops"}
	switch {
	case m.recorded(), session != m.open:
		hints = nil
	case session != m.runs.Root():
		hints = []sanitize.Text{"esc esc stops"}
	case m.leaving:
		hints = nil // the line above the composer says it
	case m.hasForeground():
		hints = []sanitize.Text{"esc stops them · ctrl+b background", "esc stops them", "esc stops"}
	}
	for _, hint := range hints {
		if draw.Cells(hint) <= width {
			return hint
		}
	}
	return ""
}

// doing is the activity of the session that is shown, in words that do not say
// again what stands right above it.
func (m *model) doing(c draw.Canvas, card transcript.Card) sanitize.Text {
	run, p := card.Run, card.Progress
	switch {
	case !run.StopRequestedAt.IsZero():
		return "stopping"
	case run.State == lifecycle.StateQueued, run.Waiting != nil, len(run.Asked) > 0, run.Shell():
		return card.Activity(c)
	case run.Session == m.runs.Root() && m.hasForeground():
		return draw.Sprintf("waiting for %s", words.Count(len(m.runs.Awaited(m.runs.Root())), "subagent"))
	case len(run.Tools) > 0:
		return card.Activity(c)
	case p.Activity != "", run.Silence(p, c.Now) > 0:
		return card.Activity(c)
	case p.Text != "":
		return "writing"
	case p.Thinking != "":
		return "thinking"
	}
	return "waiting for the model"
}

// place is where the session that is shown works: the folder of all or, in a worktree of
// its own, that and its branch.
func (m *model) place(c draw.Canvas) draw.Styled {
	folder, branch := m.options.Folder, m.options.Branch
	if own := m.runs.Latest(m.open); own.Branch != "" {
		folder, branch = "worktree", own.Branch
	}
	text := c.Theme.Dim.Draw(sanitize.Line(folder))
	if branch != "" {
		text += c.Theme.Faint.Draw(draw.Sprintf(" (%s)", sanitize.Line(branch)))
	}
	return text
}

// workplace is the folder whose files a session speaks of.
func (m *model) workplace(session lifecycle.SessionID) string {
	if own := m.runs.Latest(session); own.Branch != "" {
		return own.Folder
	}
	return m.options.Workspace
}
