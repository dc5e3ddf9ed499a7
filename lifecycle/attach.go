package lifecycle

import (
	"context"
	"encoding/json"
)

// Attachment is something that a person's message names and that the model is given
// with it, or why it is not. What is written of it stays: nothing is read again
// when a transcript is.
type Attachment struct {
	Name string `json:"name"`               // as the message has it
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

// sentWith reads what a message names that a person sends now: if the session is
// idle, it opens the next run. One that has to wait is read again when it is taken
// in, for much may have changed until then.
func (s *Supervisor) sentWith(ctx context.Context, command Command) []Enclosure {
	send, ok := command.(Send)
	if !ok || s.options.Attach == nil {
		return nil
	}
	s.mu.Lock()
	t, err := s.treeOf(send.Session)
	if err != nil {
		s.mu.Unlock()
		return nil // carrying it out says so
	}
	run := Run{Session: send.Session, Spec: t.seed}
	if m, begun := t.members[send.Session]; begun && send.Session != t.root {
		run = *t.runs[m.latest].run
	}
	s.mu.Unlock()
	return s.options.Attach(ctx, run, send.Text)
}

// unread lists the texts of people that wait for the session and are not read yet.
// The lock is held.
func (p *Port) unread(read map[string][]Enclosure) []string {
	if p.s.options.Attach == nil {
		return nil
	}
	var texts []string
	for _, m := range p.t.members[p.session].inbox {
		if _, done := read[m.Text]; !done && m.From == FromUser {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// readInbox takes the lock once all that people wrote, and that waits, is read. To
// read takes a while, in which more may come.
func (p *Port) readInbox() map[string][]Enclosure {
	read := map[string][]Enclosure{}
	p.s.mu.Lock()
	for texts := p.unread(read); len(texts) > 0; texts = p.unread(read) {
		run := *p.h.saved
		p.s.mu.Unlock()
		for _, text := range texts {
			read[text] = p.s.options.Attach(p.h.ctx, run, text)
		}
		p.s.mu.Lock()
	}
	return read
}
