package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// end is how a run ended of which a session's model was told.
type end struct {
	shell  bool
	name   sanitize.Text
	how    sanitize.Text
	denied int
}

// tell adds the line that says which run's end this session's model was told of. Several that it
// was told of at one step, with nothing between them, are one line.
func (c *Conversation) tell(rec lifecycle.Record, run lifecycle.Run) {
	if c.told[run.ID] || run.UserShell() { // that has a block
		return
	}
	c.told[run.ID] = true
	step := 0
	if run.Notification != nil {
		step = run.Notification.Step
	}
	b := c.lastTold(step)
	if b == nil {
		b = c.note(rec, draw.Quiet, "")
		b.Sign, b.step = draw.ToldSign, step
	}
	e := end{run.Shell(), wording.Name(run), wording.Standing(run), c.runs.DeniedIn(run)}
	if e.denied > 0 {
		b.Tone = draw.Caution
	}
	if b.Text != "" {
		b.Text += "\n"
	}
	b.Text += string(e.words(step))
	b.ends = append(b.ends, e)
	b.Changed()
}

// lastTold is the newest block if it says of which ends the model was told at a step.
func (c *Conversation) lastTold(step int) *Block {
	if len(c.Blocks) == 0 {
		return nil
	}
	if b := c.Blocks[len(c.Blocks)-1]; b.Kind == Note && len(b.ends) > 0 && b.step == step {
		return b
	}
	return nil
}

// words say which run it was and how it ended.
func (e end) words(step int) sanitize.Text {
	kind := "Agent"
	if e.shell {
		kind = "Shell"
	}
	how := e.how
	if e.denied > 0 {
		how = draw.Sprintf("%s %s %d denied", how, draw.Dot, e.denied)
	}
	return draw.Sprintf("%s %q %s %s delivered %s step %d", kind, e.name, how, draw.Dot, draw.Dot, step)
}

// renderEnds draws several ends as one line and, with details, one for each below it.
func (b *Block) renderEnds(c draw.Canvas) []draw.Styled {
	look := c.Theme.Dim
	if b.Tone == draw.Caution {
		look = c.Theme.Warn
	}
	sign := look.Draw(c.Glyphs.Named(b.Sign) + " ")
	lines := draw.Hang(sign, c.Narrow(2).Paragraph(look, endsInWords(b.ends, b.step)))
	if c.Details {
		lines = append(lines, draw.IndentBy(4, c.Narrow(4).Paragraph(c.Theme.Dim, sanitize.Clean(b.Text)))...)
	}
	return lines
}

// endsInWords count ends by how they ended, in the order in which they came: 5 subagents completed.
func endsInWords(ends []end, step int) sanitize.Text {
	var ways []sanitize.Text
	counts, denied, shells := map[sanitize.Text]int{}, 0, 0
	for _, e := range ends {
		if !slices.Contains(ways, e.how) {
			ways = append(ways, e.how)
		}
		counts[e.how]++
		denied += e.denied
		if e.shell {
			shells++
		}
	}
	what := sanitize.Text("runs")
	switch shells {
	case 0:
		what = "subagents"
	case len(ends):
		what = "commands"
	}
	text := draw.Sprintf("%d %s ended", len(ends), what)
	if len(ways) == 1 {
		text = draw.Sprintf("%d %s %s", len(ends), what, ways[0])
	} else {
		for _, how := range ways {
			text = draw.Sprintf("%s %s %d %s", text, draw.Dot, counts[how], how)
		}
	}
	if denied > 0 {
		text = draw.Sprintf("%s %s %d denied", text, draw.Dot, denied)
	}
	return draw.Sprintf("%s %s delivered %s step %d", text, draw.Dot, draw.Dot, step)
}
