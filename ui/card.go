package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

const second = time.Second

// cardRun is a subagent's run with what its card needs beside it.
type cardRun struct {
	run      lifecycle.Run
	progress lifecycle.Progress
	position int  // in the queue, 0 while it is in none
	unsaved  bool // its end could not be recorded
	patient  bool // the user chose to wait on: overdue is no news
	selected bool
	open     bool // its session is the one that is shown
	unread   bool // it has ended, and nobody has opened its session since
	over     bool // it is of a recording: no key does anything for it
	held     bool // the idle parent hears of its end once the user writes
	denied   int  // calls that were denied and not granted since
}

func anyLive(runs []cardRun) bool {
	return slices.ContainsFunc(runs, func(r cardRun) bool { return !r.run.State.Terminal() })
}

// stampOf changes whenever what is shown of some ended runs does.
func stampOf(runs []cardRun) int64 {
	var stamp int64
	for _, r := range runs {
		stamp += int64(r.run.Seq)<<3 + 8
		if r.unsaved {
			stamp++
		}
		if r.unread {
			stamp += 2
		}
		if r.held {
			stamp += 4
		}
	}
	return stamp
}

// name is how a run is called on the screen.
func name(run lifecycle.Run) sanitize.Text {
	switch {
	case !run.Child():
		return "main agent"
	case run.Description != "":
		return shortName(sanitize.Line(run.Description))
	case run.Type != "":
		return sanitize.Line(run.Type)
	}
	return "subagent"
}

// longName is how many cells a name may have: it is meant to have five words. Details show
// all of it.
const longName = 60

func shortName(name sanitize.Text) sanitize.Text {
	if cells(name) <= longName {
		return name
	}
	return sanitize.Text(ansi.Truncate(string(name), longName, "…"))
}

// marks are the words on a card that want to be seen, the weightiest first: what is
// not saved, what was denied, what takes too long, and who has not read of an end,
// its user or the parent's model.
func (r cardRun) marks(c canvas) []styled {
	var marks []styled
	run, live := r.run, !r.run.State.Terminal()
	if r.unsaved {
		marks = append(marks, c.theme.bad.draw("not saved"))
	}
	if !run.StopRequestedAt.IsZero() && live {
		marks = append(marks, c.theme.warn.draw("stopping"))
	}
	if r.denied > 0 {
		marks = append(marks, c.theme.warn.draw(say("%d denied", r.denied)))
	}
	if !run.OverdueAt.IsZero() && live && !r.patient {
		marks = append(marks, c.theme.warn.draw("overdue"))
	}
	if live && warnedOfBudget(run) {
		marks = append(marks, c.theme.warn.draw("budget"))
	}
	if live && warnedOfOverlap(run) {
		marks = append(marks, c.theme.warn.draw("write overlap"))
	}
	var waits styled
	switch {
	case r.held:
		waits = c.theme.dim.draw("held back until you write")
	case run.Notification.Pending():
		waits = c.theme.dim.draw("not delivered")
	}
	if r.held && run.OfPerson() { // nothing else says that the parent does not know of it
		marks, waits = append(marks, waits), ""
	}
	if r.unread && (run.Background || run.Shell()) { // what a call waited for stands in its answer
		marks = append(marks, c.unopened())
	}
	if waits != "" {
		marks = append(marks, waits)
	}
	return marks
}

func (c canvas) unopened() styled { return c.theme.dim.draw("not opened") }

func warnedOfBudget(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnBudget })
}

// activity is the one line on what the run does, or how it ended.
func (r cardRun) activity(c canvas) sanitize.Text {
	run := r.run
	switch {
	case run.State == lifecycle.StateQueued && r.position > 0:
		return say("waiting for a slot, %s in line", ordinal(r.position))
	case run.State == lifecycle.StateCompleted && !run.Shell():
		return sanitize.Line(unmarked(firstLine(run.Output())))
	case run.State == lifecycle.StateCanceledByUser && run.Error == nil:
		return endedBy(run.Cause)
	case run.State == lifecycle.StateInterrupted:
		return stateWords(run.State)
	case run.State == lifecycle.StateFailed && run.Error != nil && !run.Shell():
		return sanitize.Line(firstLine(run.Error.Line()))
	}
	words := run.Activity(r.progress, c.now)
	if run.State == lifecycle.StateRunning && len(run.Asked)+len(run.Tools) == 0 && !run.Shell() {
		words = unmarked(words) // what the model writes; a tool's pattern keeps its stars
	}
	return sanitize.Line(words)
}

// endedBy says which wish of a person ended a run.
func endedBy(cause lifecycle.Cause) sanitize.Text {
	switch cause {
	case lifecycle.CauseQuit:
		return "stopped when you quit"
	case lifecycle.CauseAgentsStop:
		return "stopped by --agents stop"
	case lifecycle.CauseDrainTimeout:
		return "stopped by --drain-timeout"
	case lifecycle.CauseSIGINT:
		return "stopped by SIGINT"
	case lifecycle.CauseKey, lifecycle.CauseCommand, lifecycle.CauseAgentStop, lifecycle.CauseRunEnd, lifecycle.CauseProcessEnd:
	}
	return "stopped by you"
}

// unmarked takes the marks of Markdown out of a line that is shown as it is.
func unmarked(line string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "`", "")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

func ordinal(n int) sanitize.Text {
	switch {
	case n%10 == 1 && n%100 != 11:
		return say("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return say("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return say("%drd", n)
	}
	return say("%dth", n)
}

// tokens is what the run has used, the open step's estimate included.
func (r cardRun) tokens() int64 {
	total := r.run.Usage.Tokens()
	if !r.run.State.Terminal() {
		total += r.progress.OutputTokens
	}
	return total
}

// about is the mark of figures that are an estimate, in part.
func about(u lifecycle.Usage) sanitize.Text {
	if u.Estimated() {
		return "~"
	}
	return ""
}

// columns are the widths that cards under one another share.
type columns struct{ kind, name, figures int }

// columnsOf measures some cards for a width.
func columnsOf(c canvas, cards []cardRun) columns {
	var cols columns
	for _, card := range cards {
		cols.kind = max(cols.kind, cells(sanitize.Line(card.run.Type)))
		cols.name = max(cols.name, cells(name(card.run)))
		cols.figures = max(cols.figures, cells(card.figures(c)))
	}
	cols.name = min(cols.name, max(10, c.width/3))
	cols.kind = min(cols.kind, 10)
	if c.width < 70 {
		cols.kind = 0
	}
	return cols
}

// figures are the numbers at the end of a card: how long, how much, for how much.
func (r cardRun) figures(c canvas) styled {
	text := short(r.run.Elapsed(c.now))
	if c.width >= 60 && r.tokens() > 0 {
		text = say("%s %s %s%s tok", text, dot, about(r.run.Usage), count(r.tokens()))
	}
	if cost := dollars(r.run.Usage.Cost); c.width >= 80 && cost != "" {
		text = say("%s %s %s", text, dot, cost)
	}
	return c.theme.dim.draw(text)
}

// look is the colour of the state. What completed without something that it asked for
// is no plain success.
func (r cardRun) look(c canvas) paint {
	if r.run.State == lifecycle.StateCompleted && r.denied > 0 {
		return c.theme.warn
	}
	return c.theme.of(r.run.State)
}

// sign is the state as one cell, and a space.
func (r cardRun) sign(c canvas) styled {
	return r.look(c).draw(c.glyphs.of(r.run.State, c.frame)) + " "
}

// standing is the state in words.
func (r cardRun) standing(c canvas) styled {
	if r.run.State == lifecycle.StateCompleted && r.denied > 0 {
		return c.theme.warn.draw(standing(r.run))
	}
	return c.theme.dim.draw(standing(r.run))
}

// line draws the card as one line: sign, type, name, what it does, marks,
// figures. The sign and the words say the state without colour too.
func (r cardRun) line(c canvas, cols columns) styled {
	title := c.theme.text
	if r.open {
		title = c.theme.strong
	}
	lead := styled("  ")
	if r.selected {
		title, lead = c.theme.selected, c.theme.accent.draw(c.glyphs.prompt)+" "
	}
	left := lead + r.sign(c)
	if cols.kind > 0 {
		left += pad(c.theme.dim.draw(c.cut(sanitize.Line(r.run.Type), cols.kind)), cols.kind) + " "
	}
	left += pad(title.draw(c.cut(name(r.run), cols.name)), cols.name) + "  "
	right := pad("", cols.figures-cells(r.figures(c))) + r.figures(c)
	if marks := r.few(c, c.width-cells(left)-cells(right)-4); marks != "" {
		right = marks + "  " + right
	}
	if room := c.width - cells(left) - cells(right) - 2; room >= 6 {
		look := c.theme.dim
		if r.run.State.Terminal() && r.run.State != lifecycle.StateCompleted {
			look = c.theme.of(r.run.State)
		}
		left += look.draw(c.cutWords(r.words(c, room), room))
	}
	return c.between(left, right)
}

// few are the marks that the card has room for beside all that it says of the run;
// the weightiest goes before that.
func (r cardRun) few(c canvas, width int) styled {
	marks := r.marks(c)
	for n := len(marks); n > 1; n-- {
		if all := c.joined(marks[:n]...); cells(all)+2+cells(r.words(c, c.width)) <= width {
			return all
		}
	}
	if len(marks) == 0 || width < 4 || marks[0] == c.unopened() && cells(marks[0])+2+cells(briefly(r.run.State)) > width {
		return ""
	}
	return c.cutStyled(marks[0], width)
}

// words are what the card says of the run in a width: what it does, or how it ended;
// where that does not fit, its end in a word.
func (r cardRun) words(c canvas, room int) sanitize.Text {
	words := r.activity(c)
	if r.run.State == lifecycle.StateInterrupted && !r.run.Shell() && !r.over && cells(words+howToContinue) <= room {
		return words + howToContinue
	}
	switch {
	case cells(words) <= room:
	case r.position > 0:
		return say("%s in line", ordinal(r.position))
	case r.run.State.Terminal() && room < 16:
		return briefly(r.run.State)
	}
	return words
}

const howToContinue sanitize.Text = " · r continues it"

// briefly is a state in one word or two.
func briefly(state lifecycle.State) sanitize.Text {
	switch state {
	case lifecycle.StateQueued:
		return "queued"
	case lifecycle.StateRunning:
		return "running"
	case lifecycle.StateCompleted:
		return "done"
	case lifecycle.StateCompletedEmpty:
		return "empty"
	case lifecycle.StateFailed:
		return "failed"
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return "stopped"
	case lifecycle.StateInterrupted:
		return "interrupted"
	}
	return sanitize.Line(string(state))
}

// renderDelegation draws an agent call where it stands in the conversation: the
// card of each run that the call started, and what came of it.
func renderDelegation(c canvas, b *block, runs []cardRun) []styled {
	var lines []styled
	for _, r := range runs {
		lines = append(lines, r.heading(c))
		lines = append(lines, indented(r.outcome(c.narrow(2)))...)
		lines = append(lines, indented(r.worktree(c.narrow(2)))...)
	}
	if b.note != "" {
		lines = append(lines, "  "+c.theme.dim.draw(sanitize.Line(b.note)))
	}
	return lines
}

// heading is the card's line in the conversation. Where it is too long, its type goes
// first, then its figures, then the word for what its sign says already.
func (r cardRun) heading(c canvas) styled {
	sign := r.sign(c)
	bare := sign + c.theme.strong.draw(name(r.run))
	full := bare
	if r.run.Type != "" {
		full = sign + c.theme.dim.draw(sanitize.Line(r.run.Type)) + " " + c.theme.strong.draw(name(r.run))
	}
	place := r.standing(c)
	more := place
	if !r.run.State.Terminal() && r.run.Background {
		more = c.joined(more, c.theme.dim.draw("background"))
	}
	if r.run.Isolation == lifecycle.IsolationProcess {
		more = c.joined(more, c.theme.dim.draw("own process"))
	}
	more = c.joined(more, r.branch(c))
	marks := r.marks(c)
	for _, parts := range [][]styled{
		{full, more, r.figures(c), c.joined(marks...)},
		{bare, more, r.figures(c), c.joined(marks...)},
		{bare, place, r.figures(c), c.joined(marks...)},
		{bare, place, c.joined(marks...)},
		{c.cutStyled(bare, max(8, c.width-cells(c.joined(place, c.joined(marks...)))-3)), place, c.joined(marks...)},
		{bare, c.joined(marks...)},
	} {
		if line := c.joined(parts...); cells(line) <= c.width {
			return line
		}
	}
	if len(marks) == 0 {
		return c.cutStyled(bare, c.width)
	}
	most := c.cutStyled(marks[0], c.width/2)
	return c.joined(c.cutStyled(bare, c.width-cells(most)-3), most)
}

// outcome is what stands below a card once it has ended: the first line of what
// it said; all of it, and what it was asked, when details are open.
func (r cardRun) outcome(c canvas) []styled {
	switch {
	case c.shut:
		return nil
	case c.details:
		var lines []styled
		if all := sanitize.Line(r.run.Description); all != name(r.run) {
			lines = append(lines, c.paragraph(c.theme.dim, all)...)
		}
		if prompt := strings.TrimSpace(cmp.Or(r.run.Prompt, r.run.Command)); prompt != "" {
			lines = append(lines, c.clip(c.paragraph(c.theme.faint, sanitize.Clean(prompt)), 0)...)
		}
		if text := strings.TrimSpace(r.run.Output()); text != "" {
			lines = append(lines, c.clip(c.paragraph(c.theme.dim, sanitize.Clean(text)), 0)...)
			return lines
		}
		return append(lines, c.theme.dim.draw(c.cutWords(r.activity(c), c.width)))
	case !r.run.State.Terminal():
		return nil // the pinned card says it
	}
	if words := r.activity(c); words != "" && words != standing(r.run) { // those stand right above
		return []styled{c.theme.dim.draw(c.cutWords(words, c.width))}
	}
	return nil
}

// cutStyled is cut for a line that is drawn already.
func (c canvas) cutStyled(s styled, width int) styled {
	if cells(s) <= width {
		return s
	}
	return styled(c.cut(sanitize.Text(s), width))
}
