package acp

import (
	"fmt"
	"log/slog"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// publisher sends what happens in a session to the editor. It is used only by the goroutine that
// watches the session.
type publisher struct {
	s         *session
	upto      lifecycle.Seq // records up to here are the past
	echo      bool          // send the past too
	ledger    *lifecycle.Ledger
	speech    speech
	last      sort                      // sort of the last piece sent
	calls     map[lifecycle.CallID]bool // those of the parent that were sent, and of runs with a card
	cards     cards
	questions questions
	fault     string
	caught    bool
	told      chan struct{} // closed when the past has been sent
}

// sort is the sort of a piece of conversation: pieces of one sort are joined.
type sort int

const (
	sortOther sort = iota
	sortText
	sortThought
)

func newPublisher(s *session, upto lifecycle.Seq, echo bool) *publisher {
	t := &publisher{
		s: s, upto: upto, echo: echo, told: make(chan struct{}),
		ledger: lifecycle.NewLedger(lifecycle.Snapshot{Root: s.Snapshot.Root}), calls: map[lifecycle.CallID]bool{}, cards: newCards(s.Snapshot.Root), questions: newQuestions(s),
	}
	t.catchUp(0)
	return t
}

// catchUp notes when the past has been sent.
func (t *publisher) catchUp(seen lifecycle.Seq) {
	if !t.caught && seen >= t.upto {
		t.caught = true
		close(t.told)
	}
}

func (t *publisher) take(u lifecycle.Updates) {
	seen := lifecycle.Seq(0)
	for _, rec := range u.Records {
		if err := t.note(rec); err != nil {
			slog.Error("tell the editor of a record", "record", rec.Seq, "error", err)
		}
		seen = rec.Seq
	}
	for _, run := range u.Unsaved {
		t.ledger.Lose(run)
		t.noteRun(run)
	}
	for _, p := range u.Progress {
		t.progress(p)
	}
	t.sendCards(u.Progress)
	if u.Fault != "" && u.Fault != t.fault {
		t.aside("not saved: " + u.Fault)
	}
	t.fault = u.Fault
	if t.caught || seen >= t.upto {
		t.questions.ask(t)
		t.settle(seen)
	}
	t.catchUp(seen)
}

// settle ends the prompts that are over by what was sent so far.
func (t *publisher) settle(seen lifecycle.Seq) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.seen = max(t.s.seen, seen)
	t.s.settle()
}

// note applies a record and sends it, if it is to be sent.
func (t *publisher) note(rec lifecycle.Record) error {
	if err := t.ledger.Apply(rec); err != nil {
		return err
	}
	run := t.ledger.Run(rec.Run)
	t.noteRun(run)
	past := rec.Seq <= t.upto
	if past && !t.echo {
		t.cards.attach(run)
		return nil
	}
	if rec.Session == t.s.Snapshot.Root {
		t.parentRecord(rec, past)
	} else {
		t.childRecord(rec, run)
	}
	return nil
}

// noteRun passes the state of a parent's run to the prompts that wait for it.
func (t *publisher) noteRun(run lifecycle.Run) {
	if run.Session == t.s.Snapshot.Root {
		t.s.mu.Lock()
		t.s.parents.put(run)
		t.s.mu.Unlock()
	}
}

func (t *publisher) parentRecord(rec lifecycle.Record, past bool) {
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		if e.From == lifecycle.FromUser && e.Trigger != lifecycle.TriggerCompact {
			t.userSaid(e.Prompt, past)
		}
	case lifecycle.MessageTaken:
		t.taken(e.Message, rec.Run)
		if e.From == lifecycle.FromUser {
			t.userSaid(e.Text, past)
		}
	case lifecycle.MessageWithdrawn:
		t.withdrawn(e, rec.Run)
	case lifecycle.StepStarted:
		t.speech.open(rec.Run, e.Step, t.s.hide)
	case lifecycle.Text:
		t.say(sortText, t.speech.text.noted(e.Text))
	case lifecycle.Thinking:
		t.say(sortThought, t.speech.thinking.noted(e.Text))
	case lifecycle.Waiting:
		t.wait(e)
	case lifecycle.ToolStarted:
		t.begin(e)
	case lifecycle.ToolEnded:
		t.end(e)
	case lifecycle.Warned:
		t.aside(e.Message)
	case lifecycle.Searched:
		t.aside(e.Words())
	case lifecycle.Compacted:
		t.aside("the conversation up to here was summarized for the model")
	case lifecycle.Rewound:
		t.aside(e.Words())
	case lifecycle.Ended:
		if run := t.ledger.Run(rec.Run); run.Trigger == lifecycle.TriggerCompact && run.Result != "" {
			t.aside(run.Result) // which stands in no transcript
		}
		if e.State == lifecycle.StateFailed && e.Error != nil && (past || !t.s.endsWith(rec.Run)) {
			t.aside("failed: " + e.Error.Message) // otherwise it is the prompt's own error
		}
	default: // the protocol has no place for queues, receipts and costs
	}
}

// taken notes which run a message went to.
func (t *publisher) taken(message lifecycle.MessageID, run lifecycle.RunID) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.parents.taken[message] = run
}

// withdrawn notes that a message went to no run, and which one gave it back.
func (t *publisher) withdrawn(e lifecycle.MessageWithdrawn, run lifecycle.RunID) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if e.Returned {
		t.s.parents.returned[e.Message] = run
	} else {
		t.s.parents.taken[e.Message] = ""
	}
}

func (t *publisher) childRecord(rec lifecycle.Record, run lifecycle.Run) {
	t.cards.attach(run)
	switch e := rec.Event.(type) {
	case lifecycle.ToolStarted:
		t.cards.did(run, e)
	case lifecycle.ToolEnded:
		t.cards.ended(run, e)
		t.questions.ended(run, e)
	case lifecycle.Landed:
		t.aside(e.Words(run.Description))
	default: // the rest shows in the run's state
	}
	t.cards.touch(run)
}

// progress sends what the parent's model says, as it comes.
func (t *publisher) progress(p lifecycle.Progress) {
	if t.speech.says(p) {
		t.say(sortThought, t.speech.thinking.streamed(p.Thinking))
		t.say(sortText, t.speech.text.streamed(p.Text))
	}
}

// say sends a piece of what the model says. Text after that of an earlier step starts a new
// paragraph.
func (t *publisher) say(s sort, text string) {
	if text == "" {
		return
	}
	v := &t.speech.text
	if s == sortThought {
		v = &t.speech.thinking
	}
	if t.last == s && !v.begun {
		text = "\n\n" + text
	}
	v.begun, t.last = true, s
	if s == sortThought {
		t.s.send(sdk.UpdateAgentThoughtText(text))
		return
	}
	t.s.send(sdk.UpdateAgentMessageText(text))
}

// wait sends why nothing happens. A text that is requested again starts anew: what was sent of
// it cannot be taken back.
func (t *publisher) wait(e lifecycle.Waiting) {
	if e.Discarded {
		t.speech.open(t.speech.run, t.speech.step, t.s.hide)
	}
	t.aside(e.Why)
}

// userSaid sends what the user wrote, unless the editor has it already.
func (t *publisher) userSaid(text string, past bool) {
	t.last = sortOther
	if past && text != "" {
		t.s.send(sdk.UpdateUserMessageText(string(sanitize.Paste(text))))
	}
}

func (t *publisher) aside(line string) {
	t.last = sortOther
	t.s.send(aside(line))
}

// aside is a line of Pawl's own in the conversation, set off from the model's text.
func aside(line string) sdk.SessionUpdate {
	return sdk.UpdateAgentMessageText(fmt.Sprintf("\n\n> Pawl: %s\n\n", strings.TrimSpace(string(sanitize.Line(line)))))
}
