package lifecycle

import (
	"context"
	"encoding/json"
	"strings"
)

// Attached is what a person's message brings along.
type Attached struct {
	Enclosures []Enclosure
	// Model, Effort and Allowed are for the run that the message starts, as of Spec, where it starts one. A
	// command that was typed may name them; empty ones change nothing.
	Model   string
	Effort  string
	Allowed []string
}

// Attachment is a file that a person's message names, or the command that it begins with: what
// the model is given of it, or why it is given nothing. It is stored, so reading a transcript does
// not read the file again.
type Attachment struct {
	Name string `json:"name"`               // the path that was meant; of a command: /name
	Note string `json:"note"`               // what it is or why it was left out, in a few words for people
	Left bool   `json:"left_out,omitempty"` // the model was given the note alone
	// Command says that it is the command that the message begins with, and what that stands for.
	Command bool `json:"command,omitempty"`
}

// Enclosure is an attachment with its content, as the transcript stores it; records hold
// only the Attachment.
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

// opensRun reports whether a command is a person's message that would start a run now, and
// returns what is known of that run. The files that it names go with the prompt. Those of a
// message that has to wait are read when it is taken in, because they may change until
// then. The lock is held.
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
		last := t.Latest(m.id)
		if !last.State.Terminal() || last.Shell() {
			return Run{}, send, false
		}
		if send.Session != t.root {
			run = last
		}
	}
	return run, send, true
}

// carry carries a command out. If it starts a run, the files that it names are read first.
func (s *Supervisor) carry(ctx context.Context, command Command) (Reply, *change, error) {
	var attached Attached
	s.mu.Lock()
	defer s.mu.Unlock()
	if run, send, opens := s.opensRun(command); opens {
		s.mu.Unlock()
		attached = s.options.Attach(ctx, run, send.Text, send.Reach)
		s.mu.Lock()
	}
	return s.carryOut(command, attached)
}

// wording is a message with the text for which its files were read: it may be edited meanwhile.
type wording struct {
	id   MessageID
	text string
}

// unread lists the waiting messages of people whose files have not been read. The lock is held.
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

// readInbox reads the files of all waiting messages, and returns with the lock held. More
// messages may come while it reads.
func (p *Port) readInbox() map[wording][]Enclosure {
	read := map[wording][]Enclosure{}
	p.s.mu.Lock()
	for messages := p.unread(read); len(messages) > 0; messages = p.unread(read) {
		run := *p.h.saved
		p.s.mu.Unlock()
		for _, m := range messages {
			read[wording{m.ID, m.Text}] = p.s.options.Attach(p.h.ctx, run, m.Text, m.Reach).Enclosures
		}
		p.s.mu.Lock()
	}
	return read
}

// InstructionsRead is a file of instructions that was looked up because a call touched a file that it
// is for. The model was given it with the result, unless it is Unread.
type InstructionsRead struct {
	Source string `json:"source"`
	Note   string `json:"note,omitempty"` // what is wrong with it, or missing of it
	Unread bool   `json:"unread,omitempty"`
}

// Words say for people what was read.
func (i InstructionsRead) Words() string {
	switch {
	case i.Unread:
		return "instructions of " + i.Source + ": " + i.Note
	case i.Note != "":
		return "instructions of " + i.Source + " (" + i.Note + ")"
	}
	return "instructions of " + i.Source
}

// InstructionWords name the instructions that were read because of the call; empty if there are none.
func (e ToolEnded) InstructionWords() string {
	var all []string
	for _, one := range e.Instructions {
		all = append(all, one.Words())
	}
	return strings.Join(all, ", ")
}
