package fleet

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// column is a column of the list beside the sign, the title and the activity.
type column struct {
	width func(w *widths) int // 0: all lines leave it empty
	right bool                // figures stand at their right
	cell  func(c draw.Canvas, s *Session) draw.Styled
}

// widths are how much room the contents of the kept lines take.
type widths struct{ title, folder, subagents, slots, denied, tokens, cost, age int }

// of takes a line in.
func (w *widths) of(s *Session) {
	w.title = max(w.title, cellsOf(s.Title))
	w.folder = max(w.folder, cellsOf(s.Folder))
	w.subagents = max(w.subagents, len(subagentWords(s)))
	w.slots = max(w.slots, len(slotWords(s)))
	w.denied = max(w.denied, len(deniedWords(s)))
	w.tokens = max(w.tokens, len(tokenWords(s)))
	w.cost = max(w.cost, len(draw.Dollars(s.CostUSD)))
	if !s.Since.IsZero() {
		w.age = 4
	}
}

// cellsOf is how many cells a text takes at most.
func cellsOf(text string) int {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return draw.Cells(sanitize.Line(text))
		}
	}
	return len(text)
}

// columns stand in this order; ranks is the order in which they get their room.
var (
	columns = []column{
		{width: func(w *widths) int { return min(w.folder, 24) }, cell: folderCell},
		{width: func(w *widths) int { return w.subagents }, right: true, cell: dimCell(subagentWords)},
		{width: func(w *widths) int { return w.slots }, cell: dimCell(slotWords)},
		{width: func(w *widths) int { return w.denied }, right: true, cell: deniedCell},
		{width: func(w *widths) int { return w.tokens }, right: true, cell: dimCell(tokenWords)},
		{width: func(w *widths) int { return w.cost }, right: true, cell: costCell},
		{width: func(w *widths) int { return w.age }, right: true, cell: ageCell},
	}
	ranks = []int{6, 5, 0, 3, 1, 2, 4}
)

// behindActivity is the first column that stands behind the activity.
const behindActivity = 1

// fitting are the widths of the title, the activity and the columns for a list; 0 for one that has
// to give way.
func fitting(width int, w *widths) (title, activity int, of []int) {
	width = min(width, draw.ContentWidth)
	title = min(max(w.title, 4), max(12, width/4), 28)
	activity = max(12, min(width/5, 24)) // and all that the others leave
	room := width - 4 - title - 2 - activity
	of = make([]int, len(columns))
	for _, i := range ranks {
		if need := columns[i].width(w); need > 0 && need+2 <= room {
			of[i] = need
			room -= need + 2
		}
	}
	if room < 0 { // a very narrow screen: the title is read before what is done
		activity, room = max(0, activity+room), 0
		title = min(title, max(1, width-4))
	}
	if more := min(room/2, w.title-title, 16); more > 0 {
		title, room = title+more, room-more
	}
	return title, activity + room, of
}

// dimCell draws words that a session has, or none.
func dimCell(of func(*Session) sanitize.Text) func(draw.Canvas, *Session) draw.Styled {
	return func(c draw.Canvas, s *Session) draw.Styled { return c.Theme.Dim.Draw(of(s)) }
}

func folderCell(c draw.Canvas, s *Session) draw.Styled {
	return c.Tail(s.Folder, nil, c.Theme.Dim, min(24, max(1, c.Width)))
}

func subagentWords(s *Session) sanitize.Text {
	if s.Subagents <= 0 {
		return ""
	}
	return sanitize.Line(words.Count(s.Subagents, "subagent"))
}

// slotWords say how many slots are taken, and how many subagents wait for one.
func slotWords(s *Session) sanitize.Text {
	var taken sanitize.Text
	switch {
	case s.Running <= 0 && s.Queued <= 0:
		return ""
	case s.Slots > 0:
		taken = draw.Sprintf("%d of %d", s.Running, s.Slots)
	default:
		taken = draw.Sprintf("%d run", s.Running)
	}
	if s.Queued > 0 {
		taken += draw.Sprintf(" +%d", s.Queued)
	}
	return taken
}

func deniedWords(s *Session) sanitize.Text {
	if s.Denied <= 0 {
		return ""
	}
	return draw.Sprintf("%d denied", s.Denied)
}

func deniedCell(c draw.Canvas, s *Session) draw.Styled { return c.Theme.Warn.Draw(deniedWords(s)) }

func tokenWords(s *Session) sanitize.Text {
	if s.Tokens <= 0 {
		return ""
	}
	return draw.Tokens(s.Tokens) + " tok"
}

func costCell(c draw.Canvas, s *Session) draw.Styled {
	return c.Theme.Dim.Draw(draw.Dollars(s.CostUSD))
}

// ageWords say how long a session has stood as it does, in its largest unit.
func ageWords(s *Session, now time.Time) sanitize.Text {
	if s.Since.IsZero() {
		return ""
	}
	return sanitize.Line(strings.TrimSuffix(words.Ago(now.Sub(s.Since)), " ago"))
}

func ageCell(c draw.Canvas, s *Session) draw.Styled {
	look := c.Theme.Faint
	if s.Need == NeedsYou {
		look = c.Theme.Warn
	}
	return look.Draw(ageWords(s, c.Now))
}

// olderIn is in how long the age of a session reads differently; 0: it has none.
func olderIn(s *Session, now time.Time) time.Duration {
	if s.Since.IsZero() {
		return 0
	}
	age, unit := now.Sub(s.Since), time.Minute
	switch {
	case age >= 24*time.Hour:
		unit = 24 * time.Hour
	case age >= time.Hour:
		unit = time.Hour
	case age < 0:
		return time.Minute - age
	}
	return unit - age%unit
}
