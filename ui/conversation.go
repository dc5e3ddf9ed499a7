package ui

import (
	"cmp"
	"slices"
	"time"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// conversation is one session as people read it: a fold of its records into
// blocks, with the newest progress on top. Parent and subagent sessions are the
// same.
type conversation struct {
	session lifecycle.SessionID
	runs    *roster

	records  []lifecycle.Record // as folded, so that older ones can be put before them
	greeting *block             // what was said when the session was opened again; no record
	remarks  []*block           // what was said of it since; no records either
	complete bool               // there are no older ones
	asked    bool               // older ones are on their way

	blocks []*block
	run    lifecycle.RunID // the one that the newest records belong to
	step   int
	tries  int // how often its request was made, the waits so far as told

	// The blocks of the open step, nil where it has none.
	text, thinking, waiting *block

	output *block // of a shell's session

	calls map[lifecycle.CallID]*block // of open tool calls
	told  map[lifecycle.RunID]bool    // ends that have their line

	queuedAt map[lifecycle.MessageID]time.Time // of the messages that wait

	full   int64           // tokens of the newest request and its answer, or of the summary after them
	summed lifecycle.RunID // the newest run in which the conversation was summed up
}

func newConversation(session lifecycle.SessionID, runs *roster) *conversation {
	c := &conversation{session: session, runs: runs}
	c.reset()
	return c
}

func (c *conversation) reset() {
	c.blocks, c.run, c.step = nil, "", 0
	c.text, c.thinking, c.waiting, c.output = nil, nil, nil, nil
	c.full, c.summed = 0, ""
	c.calls, c.told = map[lifecycle.CallID]*block{}, map[lifecycle.RunID]bool{}
	c.queuedAt = map[lifecycle.MessageID]time.Time{}
}

// first is the oldest record in it, 0 if there is none.
func (c *conversation) first() lifecycle.Seq {
	if len(c.records) == 0 {
		return 0
	}
	return c.records[0].Seq
}

// prepend puts older records before the others, and folds all of them anew: a
// step, or a tool call, may have been cut in two.
func (c *conversation) prepend(older []lifecycle.Record) {
	if len(older) == 0 {
		c.complete = true
		return
	}
	for len(older) > 0 && c.first() != 0 && older[len(older)-1].Seq >= c.first() {
		older = older[:len(older)-1]
	}
	if len(older) == 0 { // they were here already
		return
	}
	records := append(older[:len(older):len(older)], c.records...)
	text, thinking, output, greeting := c.text, c.thinking, c.output, c.greeting
	old := c.blocks
	c.records = nil
	c.reset()
	for _, rec := range records {
		if greeting != nil && rec.Seq > greeting.seq {
			c.add(greeting)
			greeting = nil
		}
		c.fold(rec)
	}
	if greeting != nil {
		c.add(greeting)
	}
	c.weave()
	c.goOn(thinking, c.reasoning)
	c.goOn(text, c.writing)
	if output != nil && c.output != nil {
		c.output.live = output.live
	}
	c.inherit(old)
}

// goOn takes what progress has shown of the open step over from a block that was folded
// anew: the next progress may be a while.
func (c *conversation) goOn(was *block, open func(lifecycle.Record) *block) {
	if was == nil || was.live == "" {
		return
	}
	b := open(lifecycle.Record{Time: was.at})
	b.live, b.open = was.live, was.open
	b.changed()
}

// fold takes one record in. The roster has folded it before.
func (c *conversation) fold(rec lifecycle.Record) {
	c.records = append(c.records, rec)
	if _, born := rec.Event.(lifecycle.Spawned); born && c.runs.first[c.session] == rec.Run {
		c.complete = true
	}
	if rec.Session != c.session { // of a subagent: only what it tells this session
		if _, ok := rec.Event.(lifecycle.NotificationDelivered); ok {
			c.tell(rec, c.runs.runs[rec.Run])
		}
		return
	}
	c.run = rec.Run
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		c.begin(rec, e.Spec)
	case lifecycle.StepStarted:
		c.close()
		c.step, c.tries = e.Step, 0
		for _, run := range c.runs.told(rec.Run, e.Step) {
			c.tell(rec, run)
		}
	case lifecycle.Text:
		b := c.writing(rec)
		b.record(rec)
		b.text += e.Text
		b.changed()
	case lifecycle.Thinking:
		b := c.reasoning(rec)
		b.record(rec)
		b.text += e.Text
		b.changed()
	case lifecycle.ToolStarted:
		c.opened(rec, e)
	case lifecycle.ToolEnded:
		c.ended(rec, e)
	case lifecycle.MessageQueued:
		c.queuedAt[e.ID] = rec.Time
	case lifecycle.MessageTaken:
		b := c.add(&block{kind: said, seq: rec.Seq, at: rec.Time, from: e.From, step: e.Step, text: e.Text, attached: e.Attached})
		if since, known := c.queuedAt[e.Message]; known {
			b.waited = rec.Time.Sub(since)
			delete(c.queuedAt, e.Message)
		}
	case lifecycle.UsageReported:
		if n := e.Tokens(); n > 0 {
			c.full = n
		}
	case lifecycle.Ended:
		c.end(rec, e)
	default:
		c.remark(rec)
	}
}

func (c *conversation) add(b *block) *block {
	c.blocks = append(c.blocks, b)
	return b
}

func (c *conversation) note(rec lifecycle.Record, tone draw.Tone, text sanitize.Text) *block {
	return c.add(&block{kind: note, seq: rec.Seq, at: rec.Time, tone: tone, text: string(text)})
}

// begin opens a run with what woke it.
func (c *conversation) begin(rec lifecycle.Record, spec lifecycle.Spec) {
	c.close()
	c.step, c.tries = 0, 0
	if spec.Trigger == lifecycle.TriggerCompact {
		c.note(rec, draw.Quiet, draw.Sprintf("/compact %s", sanitize.Line(spec.Prompt)))
		return
	}
	if spec.Kind == lifecycle.KindShell {
		c.shellBegun(rec, spec)
	}
	if spec.Prompt != "" {
		from := spec.From
		if from == "" {
			from = lifecycle.FromUser
		}
		c.add(&block{kind: said, seq: rec.Seq, at: rec.Time, from: from, text: spec.Prompt, attached: spec.Attached})
	}
	if spec.Trigger == lifecycle.TriggerContinue {
		c.note(rec, draw.Quiet, "continued")
	}
}

// close ends the open step: nothing is added to its blocks any more.
func (c *conversation) close() {
	for _, b := range []*block{c.text, c.thinking} {
		if b != nil {
			b.open, b.live = false, ""
			b.changed()
		}
	}
	c.text, c.thinking, c.waiting = nil, nil, nil
}

func (c *conversation) writing(rec lifecycle.Record) *block {
	if c.text == nil {
		c.text = c.add(&block{kind: answer, seq: rec.Seq, at: rec.Time, open: true})
	}
	if c.thinking != nil && c.thinking.open {
		c.thinking.open = false
		c.thinking.changed()
	}
	c.text.seq = cmp.Or(c.text.seq, rec.Seq) // progress, which has none, may have come first
	return c.text
}

func (c *conversation) reasoning(rec lifecycle.Record) *block {
	if c.thinking == nil {
		c.thinking = c.add(&block{kind: thought, seq: rec.Seq, at: rec.Time, open: true})
	}
	c.thinking.seq = cmp.Or(c.thinking.seq, rec.Seq)
	return c.thinking
}

// progress shows the newest partial text of the open step. It reports whether
// anything changed.
func (c *conversation) progress(p lifecycle.Progress, at time.Time) bool {
	if p.Step != c.step || c.run != p.Run {
		return false
	}
	if b := c.output; b != nil {
		b.live = p.Text
		b.changed()
		return true
	}
	rec := lifecycle.Record{Time: at}
	changed := false
	if p.Thinking != "" && (c.thinking == nil || len(p.Thinking) > len(c.thinking.whole())) {
		b := c.reasoning(rec)
		b.live = p.Thinking
		b.changed()
		changed = true
	}
	if p.Text != "" && (c.text == nil || len(p.Text) > len(c.text.whole())) {
		b := c.writing(rec)
		b.live = p.Text
		b.changed()
		changed = true
	}
	return changed
}

// discard takes back what the open step has written: its attempt is made again.
func (c *conversation) discard() {
	var kept []*block
	for _, b := range c.blocks {
		if b != c.text && b != c.thinking {
			kept = append(kept, b)
		}
	}
	c.blocks, c.text, c.thinking = kept, nil, nil
}

func (c *conversation) opened(rec lifecycle.Record, e lifecycle.ToolStarted) {
	for _, b := range []*block{c.text, c.thinking} { // a call comes after the words
		if b != nil && b.open {
			b.open = false
			b.changed()
		}
	}
	c.calls[e.Call] = c.add(&block{
		kind: tool, seq: rec.Seq, at: rec.Time, call: e.Call, name: e.Tool, label: e.Label,
	})
}

func (c *conversation) ended(rec lifecycle.Record, e lifecycle.ToolEnded) {
	b, ok := c.calls[e.Call]
	if !ok { // its start is in older records, or was never written
		b = c.add(&block{kind: tool, seq: rec.Seq, at: rec.Time, call: e.Call, name: e.Tool})
	}
	b.state, b.view = e.Status, e.View
	b.changed()
	delete(c.calls, e.Call)
}

// tell adds the line that says which end this session's model has learned of.
func (c *conversation) tell(rec lifecycle.Record, run lifecycle.Run) {
	if c.told[run.ID] {
		return
	}
	c.told[run.ID] = true
	step := 0
	if run.Notification != nil {
		step = run.Notification.Step
	}
	kind := "Agent"
	if run.Shell() {
		kind = "Shell"
	}
	tone, how := draw.Quiet, wording.Standing(run)
	if n := c.runs.deniedIn(run); n > 0 {
		tone, how = draw.Caution, draw.Sprintf("%s %s %d denied", how, draw.Dot, n)
	}
	b := c.note(rec, tone, draw.Sprintf("%s %q %s %s delivered %s step %d", kind, wording.Name(run), how, draw.Dot, draw.Dot, step))
	b.sign = draw.ToldSign
}

// view reads the view of a block; nil where there is none, or none that can be
// read.
func (b *block) decoded() agent.View {
	v, err := agent.DecodeView(b.view)
	if err != nil {
		return agent.PlainView{Text: err.Error()}
	}
	return v
}

// takeOver makes the conversation go on where another one of its session, which held
// less of it, is left.
func (c *conversation) takeOver(before *conversation) {
	c.complete, c.asked = c.complete || before.complete, before.asked
	c.remarks = before.remarks
	c.weave()
	c.inherit(before.blocks)
}

// glimpsed gives the blocks that are only progress yet the number of the newest record:
// they were seen, although their own records are to come.
func (c *conversation) glimpsed(upto lifecycle.Seq) {
	for _, b := range slices.Backward(c.blocks) {
		if b.seq != 0 {
			return
		}
		b.seq = upto
	}
}

// after reports whether all of the block came after a record; what is only
// progress yet came after all of them.
func (b *block) after(seq lifecycle.Seq) bool { return b.seq > seq || b.seq == 0 }
