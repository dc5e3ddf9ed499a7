package transcript

import (
	"cmp"
	"slices"
	"time"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Conversation is one session as people read it: a fold of its records into blocks, plus the
// newest progress. Parent and subagent sessions are the same.
type Conversation struct {
	Session lifecycle.SessionID
	runs    *Runs

	Records  []lifecycle.Record // as folded; older ones can be put before them
	Greeting *Block             // shown when the session was opened again; not a record
	Remarks  []*Block           // remarks shown since; not records either
	Complete bool               // there are no older records
	Asked    bool               // older records are being read

	Blocks []*Block
	run    lifecycle.RunID // the run of the newest records
	step   int
	tries  int // how often its request was made, according to the waits so far

	// The blocks of the current step, or nil.
	text, Thinking, waiting *Block

	output *Block // for a shell's session

	users       map[lifecycle.RunID]*Block // the user's own commands
	usersPlaced int                        // how many of them were looked at
	begun       bool                       // a record of this session is folded in

	calls map[lifecycle.CallID]*Block // open tool calls
	told  map[lifecycle.RunID]bool    // runs whose end has its line

	queuedAt map[lifecycle.MessageID]time.Time // messages that wait

	Full    int64              // tokens of the newest request and its answer, or of the summary after them
	rewinds []lifecycle.Record // those that took the conversation back

	summed lifecycle.RunID // the newest run in which the conversation was compacted
}

// NewConversation returns the empty conversation of a session.
func NewConversation(session lifecycle.SessionID, runs *Runs) *Conversation {
	c := &Conversation{Session: session, runs: runs}
	c.reset()
	return c
}

func (c *Conversation) reset() {
	c.Blocks, c.run, c.step = nil, "", 0
	c.text, c.Thinking, c.waiting, c.output = nil, nil, nil, nil
	c.Full, c.summed, c.rewinds = 0, "", nil
	c.users, c.usersPlaced, c.begun = map[lifecycle.RunID]*Block{}, 0, false
	c.calls, c.told = map[lifecycle.CallID]*Block{}, map[lifecycle.RunID]bool{}
	c.queuedAt = map[lifecycle.MessageID]time.Time{}
}

// First is the oldest record in it, or 0.
func (c *Conversation) First() lifecycle.Seq {
	if len(c.Records) == 0 {
		return 0
	}
	return c.Records[0].Seq
}

// Prepend puts older records before the others and folds all of them again: a step or a tool
// call may have been cut in two.
func (c *Conversation) Prepend(older []lifecycle.Record) {
	if len(older) == 0 {
		c.Complete = true
		if len(c.runs.users[c.Session]) == len(c.users) {
			return
		} // else one of the user's commands came before the first record
	}
	for len(older) > 0 && c.First() != 0 && older[len(older)-1].Seq >= c.First() {
		older = older[:len(older)-1]
	}
	if len(older) == 0 && !c.Complete { // all were here already
		return
	}
	records := append(older[:len(older):len(older)], c.Records...)
	text, thinking, output, greeting := c.text, c.Thinking, c.output, c.Greeting
	old := c.Blocks
	c.Records = nil
	c.reset()
	for _, rec := range records {
		if greeting != nil && rec.Seq > greeting.Seq {
			c.Add(greeting)
			greeting = nil
		}
		c.Fold(rec)
	}
	c.UsersAtEnd()
	if greeting != nil {
		c.Add(greeting)
	}
	c.weave()
	c.goOn(thinking, c.reasoning)
	c.goOn(text, c.writing)
	if output != nil && c.output != nil {
		c.output.Live = output.Live
	}
	c.Inherit(old)
}

// goOn moves the progress of the current step to the block that was folded again: the next
// progress may take a while.
func (c *Conversation) goOn(was *Block, open func(lifecycle.Record) *Block) {
	if was == nil || was.Live == "" {
		return
	}
	b := open(lifecycle.Record{Time: was.At})
	b.Live, b.Open = was.Live, was.Open
	b.Changed()
}

// Fold takes one record, which runs must have folded before.
func (c *Conversation) Fold(rec lifecycle.Record) {
	c.Records = append(c.Records, rec)
	if _, born := rec.Event.(lifecycle.Spawned); born && c.runs.first[c.Session] == rec.Run {
		c.Complete = true
	}
	if rec.Session != c.Session { // of a subagent: only what this session is told
		run := c.runs.Run(rec.Run)
		if run.UserShell() {
			c.foldUserShell(rec, run)
		} else if _, ok := rec.Event.(lifecycle.NotificationDelivered); ok {
			c.tell(rec, run)
		}
		return
	}
	c.usersBefore(rec)
	c.run = rec.Run
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		c.begin(rec, e.Spec)
	case lifecycle.StepStarted:
		c.Close()
		c.step, c.tries = e.Step, 0
		for _, run := range c.runs.Told(rec.Run, e.Step) {
			c.tell(rec, run)
		}
	case lifecycle.Text:
		b := c.writing(rec)
		b.record(rec)
		b.Text += e.Text
		b.Changed()
	case lifecycle.Thinking:
		b := c.reasoning(rec)
		b.record(rec)
		b.Text += e.Text
		b.Changed()
	case lifecycle.ToolStarted:
		c.opened(rec, e)
	case lifecycle.ToolEnded:
		c.ended(rec, e)
	case lifecycle.MessageQueued:
		c.queuedAt[e.ID] = rec.Time
	case lifecycle.MessageTaken:
		b := c.Add(&Block{Kind: said, Seq: rec.Seq, At: rec.Time, from: e.From, step: e.Step, Text: e.Text, attached: e.Attached, pastes: c.runs.pastesIn(e.Text)})
		if since, known := c.queuedAt[e.Message]; known {
			b.waited = rec.Time.Sub(since)
			delete(c.queuedAt, e.Message)
		}
	case lifecycle.UsageReported:
		if n := e.Tokens(); n > 0 {
			c.Full = n
		}
	case lifecycle.Ended:
		c.end(rec, e)
	default:
		c.remark(rec)
	}
}

// Add appends a block.
func (c *Conversation) Add(b *Block) *Block {
	c.Blocks = append(c.Blocks, b)
	return b
}

func (c *Conversation) note(rec lifecycle.Record, tone draw.Tone, text sanitize.Text) *Block {
	return c.Add(&Block{Kind: Note, Seq: rec.Seq, At: rec.Time, Tone: tone, Text: string(text)})
}

// begin starts a run with what triggered it.
func (c *Conversation) begin(rec lifecycle.Record, spec lifecycle.Spec) {
	c.Close()
	c.step, c.tries = 0, 0
	if rec.Seq == 1 && c.runs.Forked != "" {
		c.note(rec, draw.Quiet, c.runs.Forked)
	}
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
		c.Add(&Block{Kind: said, Seq: rec.Seq, At: rec.Time, from: from, Text: spec.Prompt, attached: spec.Attached, pastes: c.runs.pastesIn(spec.Prompt)})
	}
	if spec.Trigger == lifecycle.TriggerContinue {
		c.note(rec, draw.Quiet, "continued")
	}
}

// Close ends the current step: its blocks no longer change.
func (c *Conversation) Close() {
	for _, b := range []*Block{c.text, c.Thinking} {
		if b != nil {
			b.Open, b.Live = false, ""
			b.Changed()
		}
	}
	c.text, c.Thinking, c.waiting = nil, nil, nil
}

func (c *Conversation) writing(rec lifecycle.Record) *Block {
	if c.text == nil {
		c.text = c.Add(&Block{Kind: Answer, Seq: rec.Seq, At: rec.Time, Open: true})
	}
	if c.Thinking != nil && c.Thinking.Open {
		c.Thinking.Open = false
		c.Thinking.Changed()
	}
	c.text.Seq = cmp.Or(c.text.Seq, rec.Seq) // progress, which has no record, may have come first
	return c.text
}

func (c *Conversation) reasoning(rec lifecycle.Record) *Block {
	if c.Thinking == nil {
		c.Thinking = c.Add(&Block{Kind: thought, Seq: rec.Seq, At: rec.Time, Open: true})
	}
	c.Thinking.Seq = cmp.Or(c.Thinking.Seq, rec.Seq)
	return c.Thinking
}

// Progress shows the newest partial text of the current step. It reports whether anything
// changed.
func (c *Conversation) Progress(p lifecycle.Progress, at time.Time) bool {
	if p.Session != c.Session {
		return c.userProgress(p)
	}
	step := cmp.Or(c.step, c.runs.Run(p.Run).Step) // its beginning may be in older records
	if p.Step != step || c.run != p.Run {
		return false
	}
	if b := c.output; b != nil {
		b.Live = p.Text
		b.Changed()
		return true
	}
	rec := lifecycle.Record{Time: at}
	changed := false
	if p.Thinking != "" && (c.Thinking == nil || len(p.Thinking) > len(c.Thinking.Whole())) {
		b := c.reasoning(rec)
		b.Live = p.Thinking
		b.Changed()
		changed = true
	}
	if p.Text != "" && (c.text == nil || len(p.Text) > len(c.text.Whole())) {
		b := c.writing(rec)
		b.Live = p.Text
		b.Changed()
		changed = true
	}
	return changed
}

// discard removes the text of the current step: its request is made again.
func (c *Conversation) discard() {
	var kept []*Block
	for _, b := range c.Blocks {
		if b != c.text && b != c.Thinking {
			kept = append(kept, b)
		}
	}
	c.Blocks, c.text, c.Thinking = kept, nil, nil
}

func (c *Conversation) opened(rec lifecycle.Record, e lifecycle.ToolStarted) {
	for _, b := range []*Block{c.text, c.Thinking} { // a call follows the text
		if b != nil && b.Open {
			b.Open = false
			b.Changed()
		}
	}
	c.calls[e.Call] = c.Add(&Block{
		Kind: Tool, Seq: rec.Seq, At: rec.Time, Call: e.Call, name: e.Tool, Label: e.Label,
	})
}

func (c *Conversation) ended(rec lifecycle.Record, e lifecycle.ToolEnded) {
	b, ok := c.calls[e.Call]
	if !ok { // its start is in older records, or was never written
		b = c.Add(&Block{Kind: Tool, Seq: rec.Seq, At: rec.Time, Call: e.Call, name: e.Tool})
	}
	b.state, b.view, b.read = e.Status, e.View, e.InstructionWords()
	b.Changed()
	delete(c.calls, e.Call)
}

// decoded decodes the view of a block; nil if there is none.
func (b *Block) decoded() agent.View {
	v, err := agent.DecodeView(b.view)
	if err != nil {
		return agent.PlainView{Text: err.Error()}
	}
	return v
}

// TakeOver continues where another conversation of the same session, with fewer records, left
// off.
func (c *Conversation) TakeOver(before *Conversation) {
	c.Complete, c.Asked = c.Complete || before.Complete, before.Asked
	c.Remarks = before.Remarks
	c.weave()
	c.Inherit(before.Blocks)
}

// Seen gives blocks that are only progress so far the number of the newest record: they were
// seen, although their own records are still to come.
func (c *Conversation) Seen(upto lifecycle.Seq) {
	for _, b := range slices.Backward(c.Blocks) {
		if b.Seq != 0 {
			return
		}
		b.Seq = upto
	}
}

// After reports whether the whole block came after a record; one that is only progress came
// after all.
func (b *Block) After(seq lifecycle.Seq) bool { return b.Seq > seq || b.Seq == 0 }
