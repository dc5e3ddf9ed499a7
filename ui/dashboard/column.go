package dashboard

import (
	"cmp"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// column is a column of the table beside the sign, the name and the activity.
type column struct {
	title sanitize.Text
	right bool // figures stand at their right
	width func(w widths) int
	cell  func(c draw.Canvas, s Source, r *row, card transcript.Card) draw.Styled
}

// need is how much room it takes: its title has some too, where there is anything below it.
func (col *column) need(w widths) int {
	if width := col.width(w); width > 0 {
		return max(width, len(col.title))
	}
	return 0
}

// widths are how much room the contents of the kept rows take; 0 for a column that all of them
// leave empty.
type widths struct{ name, kind, model, effort, cost, files, denied, told int }

func widthsOf(s Source, kept []row) widths {
	var w widths
	for i := range kept {
		r := &kept[i]
		w.name = max(w.name, draw.Cells(r.name))
		w.kind = max(w.kind, draw.Cells(kindOf(r)))
		w.model = max(w.model, draw.Cells(modelOf(r)))
		if level := r.run.EffortShown(); level != "" {
			w.effort = max(w.effort, draw.Cells(sanitize.Line(level))+1)
		}
		if r.usage.Cost > 0 {
			w.cost = 7
		}
		if filesOf(s, r) > 0 {
			w.files = 5
		}
		if r.denied > 0 {
			w.denied = 6
		}
		if told(draw.Canvas{Now: s.Now}, r) != "" {
			w.told = 8
		}
	}
	return w
}

// columns are these columns in the order in which they stand; ranks is the order in which they
// get their room.
var (
	columns = []column{
		{title: "type", width: func(w widths) int { return min(w.kind, 10) }, cell: kindCell},
		{title: "model", width: func(w widths) int { return min(w.model, 18+w.effort) }, cell: modelCell},
		{title: "time", right: true, width: func(widths) int { return 6 }, cell: elapsedCell},
		{title: "tokens", right: true, width: func(widths) int { return 6 }, cell: tokensCell},
		{title: "cost", right: true, width: func(w widths) int { return w.cost }, cell: costCell},
		{title: "files", right: true, width: func(w widths) int { return w.files }, cell: filesCell},
		{title: "denied", right: true, width: func(w widths) int { return w.denied }, cell: deniedCell},
		{title: "told", width: func(w widths) int { return w.told }, cell: toldCell},
	}
	ranks = []int{2, 3, 4, 0, 6, 5, 7, 1}
)

// behindActivity is the first column that stands behind the activity.
const behindActivity = 2

// fitting are the widths of the name, the activity and the columns for a table; 0 for one that
// has to give way.
func fitting(width int, w widths) (name, activity int, of []int) {
	width = min(width, draw.ContentWidth)
	name = min(max(w.name, 4), max(10, width/4), 30)
	activity = max(12, min(width/5, 24)) // and all that the others leave
	room := width - 4 - name - 2 - activity
	of = make([]int, len(columns))
	for _, i := range ranks {
		if need := columns[i].need(w); need > 0 && need+2 <= room {
			of[i] = need
			room -= need + 2
		}
	}
	more := min(room/2, w.name-name, 12) // a name is read before what is done
	if more > 0 {
		name, room = name+more, room-more
	}
	return name, activity + max(0, room), of
}

func kindOf(r *row) sanitize.Text {
	if !r.run.Child() {
		return ""
	}
	return sanitize.Line(r.run.Type)
}

func kindCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	return c.Theme.Dim.Draw(kindOf(r))
}

// modelOf is the model that works, without its provider, and the effort that it is asked for.
func modelOf(r *row) sanitize.Text {
	name := cmp.Or(r.run.Fallback, r.run.Model)
	words := sanitize.Line(name[strings.LastIndexByte(name, '/')+1:])
	if level := r.run.EffortShown(); level != "" {
		words += " " + sanitize.Line(level)
	}
	return words
}

func modelCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	return c.Theme.Faint.Draw(modelOf(r))
}

func elapsedCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	return c.Theme.Dim.Draw(sanitize.Line(words.Duration(r.elapsed(c.Now))))
}

// tokensOf is what its runs have used, with an estimate for the step that goes on.
func tokensOf(r *row, card transcript.Card) sanitize.Text {
	n := r.usage.Tokens()
	if !r.run.State.Terminal() {
		n += card.Progress.OutputTokens
	}
	if n == 0 {
		return ""
	}
	return transcript.Approximately(r.usage) + draw.Tokens(n)
}

func tokensCell(c draw.Canvas, _ Source, r *row, card transcript.Card) draw.Styled {
	return c.Theme.Dim.Draw(tokensOf(r, card))
}

func costCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	return c.Theme.Dim.Draw(draw.Dollars(r.usage.Cost))
}

// filesOf is how many files it has changed, as its calls or its worktree say.
func filesOf(s Source, r *row) int {
	n := len(s.Log.Work(r.session).Files)
	if w := r.run.Worktree; w != nil {
		n = max(n, w.Files)
	}
	return n
}

func filesCell(c draw.Canvas, s Source, r *row, _ transcript.Card) draw.Styled {
	if n := filesOf(s, r); n > 0 {
		return c.Theme.Text.Draw(draw.Sprintf("%d", n))
	}
	return ""
}

func deniedCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	if r.denied == 0 {
		return ""
	}
	return c.Theme.Warn.Draw(draw.Sprintf("%d", r.denied))
}

// told says when the parent learned of its end: not yet is a word too.
func told(c draw.Canvas, r *row) sanitize.Text {
	run := &r.run
	switch {
	case !run.Child() || !run.State.Terminal():
		return ""
	case run.Notification.Pending():
		return "not yet"
	case run.Consumed != nil && !run.Consumed.At.IsZero():
		return clock(c, run.Consumed.At)
	case run.Notification != nil && !run.Notification.DeliveredAt.IsZero():
		return clock(c, run.Notification.DeliveredAt)
	}
	return ""
}

func clock(c draw.Canvas, at time.Time) sanitize.Text {
	return sanitize.Line(at.In(c.Now.Location()).Format("15:04:05"))
}

func toldCell(c draw.Canvas, _ Source, r *row, _ transcript.Card) draw.Styled {
	look := c.Theme.Dim
	if r.run.Notification.Pending() {
		look = c.Theme.Warn
	}
	return look.Draw(told(c, r))
}
