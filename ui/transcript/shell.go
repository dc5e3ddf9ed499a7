package transcript

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// A shell's conversation has one block: the command line and, below it, the output. It takes no
// messages, so nothing can be typed there.

// shellBegun starts the conversation of a shell.
func (c *Conversation) shellBegun(rec lifecycle.Record, spec lifecycle.Spec) {
	c.output = c.Add(&Block{Kind: command, Seq: rec.Seq, At: rec.Time, Label: spec.Command, Open: true})
}

// shellEnded ends it with how the command ended.
func (c *Conversation) shellEnded(rec lifecycle.Record, e lifecycle.Ended) {
	b := c.output
	b.Text, b.Live, b.Open = e.Result, "", false
	b.Changed()
	run := c.runs.Run(rec.Run)
	tone := draw.Caution
	if e.State == lifecycle.StateCompleted {
		tone = draw.Quiet
	}
	c.note(rec, tone, wording.Standing(run)).Sign = draw.StoppedSign
	if e.State == lifecycle.StateFailed && e.Error != nil && e.Error.Kind == lifecycle.FailSetup {
		c.note(rec, draw.Failure, sanitize.Clean(e.Error.Message)).Sign = draw.FailedSign
	}
}

// renderCommand draws a shell: its command line, and the end of its output.
func (b *Block) renderCommand(c draw.Canvas) []draw.Styled {
	inner := c.Narrow(2)
	lines := draw.Hang(c.Theme.User.Draw("$ "), inner.Paragraph(c.Theme.Strong, sanitize.Clean(b.Label)))
	text := strings.TrimRight(b.Text, "\n ")
	if b.Open {
		text = strings.TrimRight(b.Live, "\n ")
	}
	if text == "" {
		return lines
	}
	output := inner.Paragraph(c.Theme.Dim, sanitize.Clean(text))
	return append(lines, draw.Indent(output[max(0, len(output)-opened):])...)
}
