package transcript

import (
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// A command of the user's own stands in the conversation in which it was typed: one block, from its
// beginning on, with what it writes and how it ended. Its records are those of a session of its own,
// so that a part of a log which is read for this session lacks them: then its run says all of it, and
// the time at which it began says where it stands.

// userShown is how many lines of the output of such a command are shown while details are hidden.
const userShown = 20

// userShell adds the block of a command, or gives the one that is there.
func (c *Conversation) userShell(run lifecycle.Run, seq lifecycle.Seq) *Block {
	if b := c.users[run.ID]; b != nil {
		return b
	}
	b := c.Add(&Block{Kind: command, Seq: seq, At: run.SpawnedAt, from: lifecycle.FromUser, Label: run.Command, Open: true})
	b.away = c.isTakenBack(seq)
	c.users[run.ID] = b
	if run.State.Terminal() {
		b.userEnded(run)
	} else {
		b.Live = c.runs.Progress[run.ID].Text
	}
	return b
}

func (b *Block) userEnded(run lifecycle.Run) {
	b.Text, b.Live, b.Open = run.Result, "", false
	if b.Text == lifecycle.NoOutput {
		b.Text = ""
	}
	words := []string{string(wording.Standing(run)), words.Duration(run.Elapsed(run.EndedAt))}
	switch {
	case run.State == lifecycle.StateCompleted:
		b.Tone, b.Sign = draw.Quiet, ""
	case run.Error != nil && run.Error.Kind == lifecycle.FailSetup:
		b.Tone, b.Sign, words = draw.Failure, draw.FailedSign, []string{"not run", run.Error.Message}
	case run.State == lifecycle.StateInterrupted:
		b.Tone, b.Sign, words = draw.Caution, draw.CutOffSign, []string{"cut off when Pawl ended"}
	case run.Error != nil:
		b.Tone, b.Sign = draw.Failure, draw.FailedSign
	default:
		b.Tone, b.Sign = draw.Caution, draw.StoppedSign
	}
	b.note = strings.Join(words, " "+string(draw.Dot)+" ")
	b.Changed()
}

// foldUserShell takes in a record of a command of the user's own.
func (c *Conversation) foldUserShell(rec lifecycle.Record, run lifecycle.Run) {
	switch rec.Event.(type) {
	case lifecycle.Spawned:
		c.userShell(run, rec.Seq)
	case lifecycle.Ended:
		c.userShell(run, rec.Seq).userEnded(run)
	default: // it says nothing more
	}
}

// userProgress shows what a command of the user's own has written so far.
func (c *Conversation) userProgress(p lifecycle.Progress) bool {
	b := c.users[p.Run]
	if b == nil || !b.Open {
		return false
	}
	b.Live = p.Text
	b.Changed()
	return true
}

// usersBefore adds the commands that began before a record of this session, as far as what precedes
// them is here too.
func (c *Conversation) usersBefore(rec lifecycle.Record) {
	c.usersUntil(func(at time.Time) bool { return at.Before(rec.Time) }, max(1, rec.Seq-1))
	c.begun = true
}

// UsersAtEnd adds the commands that began after the newest record. It is called once all records that
// there were have been folded.
func (c *Conversation) UsersAtEnd() {
	var last lifecycle.Seq
	if n := len(c.Records); n > 0 {
		last = c.Records[n-1].Seq
	}
	c.usersUntil(func(time.Time) bool { return true }, max(1, last))
}

func (c *Conversation) usersUntil(began func(time.Time) bool, seq lifecycle.Seq) {
	all, passOver := c.runs.users[c.Session], !c.begun && !c.Complete
	for ; c.usersPlaced < len(all); c.usersPlaced++ {
		run := c.runs.Run(all[c.usersPlaced])
		if !began(run.SpawnedAt) {
			return
		}
		if !passOver {
			c.userShell(run, seq)
		}
	}
}

// renderUserShell draws a command of the user's own: its command line, the end of its output, and how
// it stands.
func (b *Block) renderUserShell(c draw.Canvas) []draw.Styled {
	inner := c.Narrow(2)
	lines := draw.Hang(c.Theme.Warn.Draw("! "), inner.Paragraph(c.Theme.Strong, sanitize.Clean(b.Label)))
	if !c.Shut {
		lines = append(lines, draw.Indent(b.userOutput(inner))...)
	}
	if b.Open {
		took := sanitize.Line(words.Duration(max(0, c.Now.Sub(b.At))))
		sign := c.Theme.Accent.Draw(c.Glyphs.Spinner[c.Frame%len(c.Glyphs.Spinner)])
		return append(lines, "  "+sign+" "+c.Theme.Faint.Draw(draw.Sprintf("%s %s esc stops it", took, draw.Dot)))
	}
	look := b.Tone.Paint(c.Theme)
	if b.Tone == draw.Quiet {
		look = c.Theme.Faint
	}
	how := look.Draw(c.Cut(sanitize.Line(b.note), c.Width-4))
	if b.Sign != "" {
		how = look.Draw(c.Glyphs.Named(b.Sign)+" ") + how
	}
	return append(lines, "  "+how)
}

// userOutput is the output, or the last lines of it while details are hidden.
func (b *Block) userOutput(c draw.Canvas) []draw.Styled {
	text := strings.TrimRight(b.Text, "\n ")
	if b.Open {
		text = strings.TrimRight(b.Live, "\n ")
	}
	if text == "" {
		return nil
	}
	most := userShown
	if c.Details {
		most = opened
	}
	output := c.Paragraph(c.Theme.Dim, sanitize.Clean(text))
	if len(output) <= most+1 {
		return output
	}
	hint := draw.Sprintf("%s %d earlier lines", c.Glyphs.More, len(output)-most)
	if !c.Details {
		hint += " (ctrl+o)"
	}
	return append([]draw.Styled{c.Theme.Faint.Draw(hint)}, output[len(output)-most:]...)
}
