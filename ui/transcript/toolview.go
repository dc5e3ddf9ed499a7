package transcript

import (
	"strings"
	"time"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// How many lines of a result are shown: a glimpse without details, and at most opened with them,
// so that no result fills the screen's memory.
const (
	glimpse   = 3
	diffShown = 14
	opened    = 400
)

// renderTool draws a tool call: one line with its outcome, and the part of its result that its
// view shows.
func (b *Block) renderTool(c draw.Canvas) []draw.Styled {
	sign, look := outcome(c, b.state)
	name := sanitize.Line(b.name)
	var summary draw.Styled
	var body []draw.Styled
	if b.state == "" {
		if took := c.Now.Sub(b.At); took >= 2*time.Second {
			summary = c.Theme.Faint.Draw(sanitize.Line(words.Duration(took)))
		}
	} else {
		summary, body = RenderView(c.Narrow(2), b.decoded(), b.state)
	}
	if c.Shut {
		body = nil
	}
	if b.note != "" {
		summary = c.Join(c.Theme.Dim.Draw(sanitize.Line(b.note)), summary)
	}
	head := look.Draw(sign) + " " + c.Theme.Text.Draw(name)
	if b.Label != "" {
		head += " " + c.File(b.path(), c.Theme.Dim.Draw(sanitize.Line(b.Label)))
	}
	if b.read != "" {
		body = append(body, c.Theme.Faint.Draw(c.Cut(sanitize.Line(b.read), c.Width-2)))
	}
	if summary == "" {
		return append([]draw.Styled{endedLine(c, head)}, draw.Indent(body)...)
	}
	// The head is cut for the outcome but keeps half of the line.
	room := max(c.Width/2, c.Width-draw.Cells(summary)-3)
	line := c.CutStyled(head, room) + "  " + summary
	return append([]draw.Styled{endedLine(c, line)}, draw.Indent(body)...)
}

func endedLine(c draw.Canvas, line draw.Styled) draw.Styled { return c.CutStyled(line, c.Width) }

// outcome is the sign of a tool call and its look.
func outcome(c draw.Canvas, status lifecycle.ToolStatus) (sanitize.Text, draw.Paint) {
	switch status {
	case lifecycle.ToolOK:
		return c.Glyphs.Done, c.Theme.Good
	case lifecycle.ToolError:
		return c.Glyphs.Failed, c.Theme.Bad
	case lifecycle.ToolDenied:
		return c.Glyphs.Denied, c.Theme.Warn
	case lifecycle.ToolCanceled:
		return c.Glyphs.Stopped, c.Theme.Warn
	}
	return c.Glyphs.Spinner[c.Frame%len(c.Glyphs.Spinner)], c.Theme.Accent
}

// RenderView draws a result: summary follows the call, body is below it. It is the only switch
// over views.
func RenderView(c draw.Canvas, view agent.View, status lifecycle.ToolStatus) (summary draw.Styled, body []draw.Styled) {
	dim := c.Theme.Dim
	switch v := view.(type) {
	case nil:
		return "", nil
	case agent.PlainView:
		return plainView(c, v, status)
	case agent.CommandView:
		return commandView(c, v, status)
	case agent.DiffView:
		summary = c.Theme.Added.Draw(draw.Sprintf("+%d", v.Added)) + " " + c.Theme.Removed.Draw(draw.Sprintf("-%d", v.Removed))
		if v.New {
			summary = dim.Draw("new") + " " + summary
		}
		return summary, clip(c, draw.RenderDiff(c, v.Diff), diffShown)
	case agent.ListingView:
		summary = dim.Draw(draw.Sprintf("%d found", max(v.Total, len(v.Items))))
		if !c.Details {
			return summary, nil
		}
		var lines []draw.Styled
		for _, item := range v.Items {
			lines = append(lines, c.Listed(item, dim.Draw(c.Cut(sanitize.Line(item), c.Width))))
		}
		return summary, clip(c, lines, 0)
	case agent.TodoView:
		return "", todoView(c, v)
	case agent.RunView:
		return "", nil // its card is drawn from the log
	}
	return dim.Draw("a result of a kind this version cannot show"), nil
}

func plainView(c draw.Canvas, v agent.PlainView, status lifecycle.ToolStatus) (draw.Styled, []draw.Styled) {
	text := strings.TrimSpace(v.Text)
	switch {
	case text == "":
		return "", nil
	case c.Details:
		return "", clip(c, c.Paragraph(c.Theme.Dim, sanitize.Clean(text)), 0)
	case status == lifecycle.ToolOK:
		if n := strings.Count(text, "\n") + 1; n > 1 {
			return c.Theme.Faint.Draw(sanitize.Line(words.Count(n, "line"))), nil
		}
		return c.Theme.Faint.Draw(c.Cut(sanitize.Line(text), c.Width/2)), nil
	case status == lifecycle.ToolDenied:
		return "", nil // the reason is on the line
	}
	return "", clip(c, c.Paragraph(c.Theme.Dim, sanitize.Clean(text)), glimpse)
}

func commandView(c draw.Canvas, v agent.CommandView, status lifecycle.ToolStatus) (draw.Styled, []draw.Styled) {
	output := strings.TrimRight(v.Output, "\n ")
	var exit, size, remark draw.Styled
	if v.ExitCode != 0 {
		exit = c.Theme.Bad.Draw(draw.Sprintf("exit %d", v.ExitCode))
	}
	if status == lifecycle.ToolCanceled { // the code is that of the signal that stopped it
		exit, v.Note = "", "stopped"
	}
	if v.Note != "" {
		remark = c.Theme.Dim.Draw(sanitize.Line(v.Note))
	}
	lines := 0
	if output != "" {
		lines = strings.Count(output, "\n") + 1
		size = c.Theme.Faint.Draw(sanitize.Line(words.Count(lines, "line")))
	}
	summary := c.Join(exit, remark, size)
	if output == "" {
		return summary, nil
	}
	if c.Details {
		return summary, clip(c, c.Paragraph(c.Theme.Dim, sanitize.Clean(output)), 0)
	}
	if status == lifecycle.ToolOK && v.ExitCode == 0 {
		return summary, nil
	}
	return summary, last(c, output, glimpse) // errors are at the end
}

func todoView(c draw.Canvas, v agent.TodoView) []draw.Styled {
	var lines []draw.Styled
	for _, item := range v.Items {
		sign, look := c.Glyphs.Open, c.Theme.Dim
		switch item.State {
		case "active":
			sign, look = c.Glyphs.Active, c.Theme.Strong
		case "done":
			sign, look = c.Glyphs.Box, c.Theme.Faint
		}
		lines = append(lines, draw.Hang(look.Draw(sign+" "), c.Narrow(2).Paragraph(look, sanitize.Line(item.Text)))...)
	}
	return clip(c, lines, 30)
}

// clip keeps the first lines: folded of them, or opened with details.
func clip(c draw.Canvas, lines []draw.Styled, folded int) []draw.Styled {
	most := folded
	if c.Details {
		most = opened
	}
	if len(lines) <= most+1 {
		return lines
	}
	hint := draw.Sprintf("%s %d more lines (ctrl+o)", c.Glyphs.More, len(lines)-most)
	if c.Details {
		hint = draw.Sprintf("%s %d more lines", c.Glyphs.More, len(lines)-most)
	}
	return append(lines[:most:most], c.Theme.Faint.Draw(hint))
}

// last draws the last lines of an output.
func last(c draw.Canvas, output string, n int) []draw.Styled {
	at := len(output)
	for range n {
		if at = strings.LastIndexByte(output[:at], '\n'); at < 0 {
			break
		}
	}
	var lines []draw.Styled
	for _, line := range sanitize.Clean(output[at+1:]).Lines() {
		lines = append(lines, c.Theme.Dim.Draw(c.Cut(line, c.Width)))
	}
	return lines
}

// path is the file that a call changed; empty if not known.
func (b *Block) path() string {
	if v, ok := b.decoded().(agent.DiffView); ok {
		return v.Path
	}
	return ""
}
