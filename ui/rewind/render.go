package rewind

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Render draws the question in at most so many rows, below notices.
func (v *View) Render(c draw.Canvas, height int, notices []draw.Styled) []draw.Styled {
	frame := c.Content()
	above, below := frame.FrameRows()
	c = frame.Inside()
	head := v.head(c)
	body, first, last := v.files(c)
	foot := append(notices[:len(notices):len(notices)], draw.Indent(v.keys(c.Narrow(2)))...)
	room := max(1, height-above-below-len(head)-len(foot))
	v.Body.Fill(body, room)
	if v.moved {
		v.Body.Show(first, last)
		v.moved = false
	}
	counted := v.sums()
	if rest := v.Body.Below(); rest > 0 {
		counted += draw.Sprintf("%s %s ", draw.Dot, words.Count(rest, "more line"))
	}
	lines := append(head, v.Body.Seen()...)
	return frame.Framed(counted, append(lines, foot...))
}

func (v *View) head(c draw.Canvas) []draw.Styled {
	title := draw.Sprintf("Take back to before the %s \"%s\"", sanitize.Line(v.Point.Kind), sanitize.Line(words.FirstLine(v.Point.Text)))
	if v.Only != "" {
		title = draw.Sprintf("Take back the files of \"%s\" to before the %s \"%s\"", sanitize.Line(v.Name), sanitize.Line(v.Point.Kind), sanitize.Line(words.FirstLine(v.Point.Text)))
	}
	lines := []draw.Styled{c.Theme.Strong.Draw(c.Cut(title, c.Width))}
	if v.Only != "" {
		return lines
	}
	var tabs draw.Styled
	for _, one := range []struct {
		what what
		name sanitize.Text
	}{{both, "conversation and files"}, {files, "files"}, {conversation, "conversation"}} {
		look, box := c.Theme.Dim, sanitize.Text("( ) ")
		if one.what == v.what {
			look, box = c.Theme.Selected, "(x) "
		}
		tabs += look.Draw(box+one.name) + "  "
	}
	return append(lines, c.CutStyled(tabs, c.Width))
}

// files draws what becomes of each file, and says which lines are those of the marked one.
func (v *View) files(c draw.Canvas) (lines []draw.Styled, first, last int) {
	said := func(text sanitize.Text) []draw.Styled {
		return []draw.Styled{"  " + c.Theme.Dim.Draw(c.Narrow(2).Cut(text, c.Width-2))}
	}
	switch {
	case v.what == conversation:
		return said("the files stay as they are now"), 0, 0
	case v.trouble != "":
		return draw.Indent(c.Narrow(2).Paragraph(c.Theme.Bad, sanitize.Line(v.trouble))), 0, 0
	case !v.read:
		return said("looking at the files…"), 0, 0
	case len(v.plan.Files) == 0:
		return said("no file was changed since"), 0, 0
	}
	for i, f := range v.plan.Files {
		if i == v.at {
			first, last = len(lines), len(lines)+1
		}
		lines = append(lines, v.file(c, f, i == v.at))
	}
	return lines, first, last
}

func (v *View) file(c draw.Canvas, f File, marked bool) draw.Styled {
	lead, look := draw.Styled("  "), c.Theme.Text
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	box, says := sanitize.Text("[x] "), sanitize.Text("put back")
	switch f.State {
	case Back:
		if f.Removed {
			says = "removed: it was not there"
		}
	case Already:
		box, says = "    ", "so already"
	case Left:
		says = sanitize.Line(f.Why)
		if !v.chosen[f.Path] {
			box, says = "[ ] ", "left: "+says
		}
	case Cannot:
		box, says = draw.Sprintf(" %s  ", c.Glyphs.Denied), "cannot be put back: "+sanitize.Line(f.Why)
	}
	by := sanitize.Line(strings.Join(f.Writers, ", "))
	tone := c.Theme.Dim
	if f.State == Left || f.State == Cannot {
		tone = c.Theme.Warn
	}
	line := lead + look.Draw(box+sanitize.Line(f.Path)) + "  " + tone.Draw(says)
	if by != "" {
		line += c.Theme.Faint.Draw(draw.Sprintf("  %s %s", draw.Dot, by))
	}
	return c.CutStyled(line, c.Width)
}

// sums counts what becomes of the files.
func (v *View) sums() sanitize.Text {
	if v.what == conversation || !v.read {
		return " "
	}
	back, left := 0, 0
	for _, f := range v.plan.Files {
		switch {
		case f.State == Back || f.State == Left && v.chosen[f.Path]:
			back++
		case f.State == Left || f.State == Cannot:
			left++
		}
	}
	return draw.Sprintf(" %s put back, %d left ", words.Count(back, "file"), left)
}

func (v *View) keys(c draw.Canvas) []draw.Styled {
	keys := [][2]sanitize.Text{{"enter", "take back"}}
	if v.Only == "" {
		keys = append(keys, [2]sanitize.Text{"tab", "conversation, files or both"})
	}
	if v.what != conversation {
		keys = append(keys, [2]sanitize.Text{"space", "choose a file that others changed"})
	}
	return c.KeyLine(append(keys, [2]sanitize.Text{"esc", "cancel"}))
}
