package changes

import (
	"maps"
	"slices"
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

// Writing is the comments of one screen as they are written: those that stand, and the one that is
// being typed. Nothing that was typed is lost: what was given up comes back by Ctrl+Y, and what has not
// been kept for the next process yet is Unsaved.
type Writing struct {
	*Comments
	line    *composer.Composer // nil: none is being typed
	on      Comment            // the line that it is on, and what was written there before
	kills   composer.Kills
	unsaved map[string]Comment
}

// NewWriting begins with comments that were kept.
func NewWriting(kept []Comment) *Writing { return &Writing{Comments: NewComments(kept)} }

// Typing reports whether a comment is being typed.
func (w *Writing) Typing() bool { return w.line != nil }

// Begin opens a line for the comment on a line of a diff, or for another text of it.
func (w *Writing) Begin(on Comment) {
	w.on, w.line = on, &composer.Composer{Goal: -1, Kills: w.kills}
	w.line.Set(on.Text)
}

// Edit changes what is typed.
func (w *Writing) Edit(change func(*composer.Composer)) {
	change(w.line)
	w.note(w.line.Text)
}

// Keep ends the typing: without words there is no comment.
func (w *Writing) Keep() { w.end(w.line.Text) }

// Drop goes back to what was written before.
func (w *Writing) Drop() {
	if w.line.Text != w.on.Text {
		w.line.Keep(w.line.Text)
	}
	w.end(w.on.Text)
}

// Remove removes a comment.
func (w *Writing) Remove(one Comment) {
	w.Begin(one)
	w.line.Keep(one.Text)
	w.end("")
}

func (w *Writing) end(text string) {
	one := w.on
	one.Text = strings.TrimSpace(text)
	w.kills, w.line = w.line.Kills, nil
	w.Put(one)
	w.note(one.Text)
}

// note has a text saved as the comment on the line that is written on.
func (w *Writing) note(text string) {
	one := w.on
	one.Text = text
	w.unsave(one)
}

// unsave has a comment saved as it is now; without text there is none.
func (w *Writing) unsave(one Comment) {
	if w.unsaved == nil {
		w.unsaved = map[string]Comment{}
	}
	w.unsaved[one.Key()] = one
}

// Arrived takes the comments of a message away, but those that were changed since it was sent.
func (w *Writing) Arrived(m Message) {
	w.Sent(m)
	for _, one := range m.Comments {
		if _, there := w.On(one.Place); !there {
			one.Text = ""
			w.unsave(one)
		}
	}
}

// Unsaved gives what was written since the last time, to be kept; one without text is to be forgotten.
func (w *Writing) Unsaved() []Comment {
	all := slices.Collect(maps.Values(w.unsaved))
	w.unsaved = nil
	return all
}

// Render draws what is typed under a rule that says where, in some rows more than that, and where the
// cursor is.
func (w *Writing) Render(c draw.Canvas, rows int) (lines []draw.Styled, y, x int) {
	on := draw.Sprintf(" comment on %s:%d · enter keep · esc drop ", sanitize.Line(w.on.Path), w.on.Line)
	if draw.Cells(on)+4 > c.Width {
		on = " enter keep · esc drop "
	}
	lines, y, x = w.line.Render(c, "what should be different here", rows)
	return append([]draw.Styled{c.Ruled(on)}, lines...), y + 1, x
}
