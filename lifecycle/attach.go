package lifecycle

import (
	"context"
	"encoding/json"
)

// Attachment is something that a person's message names and that the model is given
// with it, or why it is not. What is written of it stays: nothing is read again
// when a transcript is.
type Attachment struct {
	Name string `json:"name"`               // the path that was meant
	Note string `json:"note"`               // what it is, in a few words for people; of one left out, why
	Left bool   `json:"left_out,omitempty"` // the model was given the note alone
}

// Enclosure is an attachment with what the model is given, as the transcript keeps
// it; records name it alone.
type Enclosure struct {
	Attachment
	Body json.RawMessage `json:"body,omitempty"` // in agent's encoding; none of one left out
}

// named are enclosures as records have them.
func named(all []Enclosure) []Attachment {
	var names []Attachment
	for _, one := range all {
		names = append(names, one.Attachment)
	}
	return names
}

// opensRun says that a command is a message of a person that would open a run now,
// and of which session: what it names goes with the prompt. One that has to wait is
// read when it is taken in, for much may have changed until then. The lock is held.
func (s *Supervisor) opensRun(command Command) (run Run, send Send, opens bool) {
	send, opens = command.(Send)
	if !opens || s.options.Attach == nil {
		return Run{}, send, false
	}
	t, err := s.treeOf(send.Session)
	if err != nil {
		return Run{}, send, false // carrying it out says so
	}
	run = Run{Session: send.Session, Spec: t.seed}
	if m, begun := t.members[send.Session]; begun {
		last := *t.runs[t.latest[m.id]].run
		if !last.State.Terminal() || last.Shell() {
			return Run{}, send, false
		}
		if send.Session != t.root {
			run = last
		}
	}
	return run, send, true
}

// carry carries a command out, after what it names is read if it opens a run.
func (s *Supervisor) carry(ctx context.Context, command Command) (Reply, *change, error) {
	var attached []Enclosure
	s.mu.Lock()
	defer s.mu.Unlock()
	if run, send, opens := s.opensRun(command); opens {
		s.mu.Unlock()
		attached = s.options.Attach(ctx, run, send.Text, send.Reach)
		s.mu.Lock()
	}
	return s.carryOut(command, attached)
}

// wording is a message with the words that it had when it was read: it may be edited
// meanwhile.
type wording struct {
	id   MessageID
	text string
}

// unread lists what people wrote, and waits for the session, and is not read yet.
// The lock is held.
func (p *Port) unread(read map[wording][]Enclosure) []Message {
	if p.s.options.Attach == nil {
		return nil
	}
	var messages []Message
	for _, m := range p.t.Inbox(p.session) {
		if _, done := read[wording{m.ID, m.Text}]; !done && m.From == FromUser {
			messages = append(messages, m)
		}
	}
	return messages
}

// readInbox takes the lock once all that people wrote, and that waits, is read. To
// read takes a while, in which more may come.
func (p *Port) readInbox() map[wording][]Enclosure {
	read := map[wording][]Enclosure{}
	p.s.mu.Lock()
	for messages := p.unread(read); len(messages) > 0; messages = p.unread(read) {
		run := *p.h.saved
		p.s.mu.Unlock()
		for _, m := range messages {
			read[wording{m.ID, m.Text}] = p.s.options.Attach(p.h.ctx, run, m.Text, m.Reach)
		}
		p.s.mu.Lock()
	}
	return read
}
