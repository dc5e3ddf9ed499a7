package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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

// opensRun reports whether a person's message to a session of the tree would start a run now, and what
// is known of that run. The files that it names go with the prompt. Those of a message that has to wait
// are read when it is taken in, because they may change until then. The lock is held.
func (t *tree) opensRun(session SessionID) (run Run, opens bool) {
	run = Run{Session: session, Spec: t.seed}
	if m, begun := t.members[session]; begun {
		last := t.Latest(m.id)
		if !last.State.Terminal() || last.Shell() {
			return Run{}, false
		}
		if session != t.root {
			run = last
		}
	}
	return run, true
}

// unsent is a person's message that is not in the log yet: its files are being read, or those of one
// before it. There may be no run yet that could be stopped.
type unsent struct {
	session SessionID
	cancel  context.CancelCauseFunc
	over    chan struct{} // closed when it is no longer unsent
}

// errStoppedUnsent is why a message is not sent.
var errStoppedUnsent = errors.New("it was stopped before it began")

// read waits for the unsent messages to the same session, then reads what this one brings along if it
// starts a run, with the lock released meanwhile. So a program of a typed command waits for itself, until
// its time is over, if it sends a message to its own session. An error says that the message is not wanted
// any more. The lock is held.
func (s *Supervisor) read(ctx context.Context, send Send) (attached Attached, err error) {
	t, err := s.treeOf(send.Session)
	if err != nil || s.options.Attach == nil {
		return Attached{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	u := &unsent{send.Session, cancel, make(chan struct{})}
	t.unsent = append(t.unsent, u)
	defer func() {
		t.unsent = slices.DeleteFunc(t.unsent, func(one *unsent) bool { return one == u })
		close(u.over)
	}()
	for before := t.ahead(u); before != nil && err == nil; before = t.ahead(u) {
		s.mu.Unlock()
		select {
		case <-before.over:
		case <-ctx.Done():
		}
		s.mu.Lock()
		err = context.Cause(ctx)
	}
	if run, opens := t.opensRun(send.Session); opens && err == nil {
		s.mu.Unlock()
		attached = s.options.Attach(ctx, run, send.Text, send.Reach)
		s.mu.Lock()
		err = context.Cause(ctx)
	}
	return attached, err
}

// ahead is the message right before an unsent one of its session; nil if it is the first. The lock is held.
func (t *tree) ahead(u *unsent) (before *unsent) {
	for _, one := range t.unsent {
		if one == u {
			break
		}
		if one.session == u.session {
			before = one
		}
	}
	return before
}

// stopUnsent stops the unsent messages to the sessions that match, and reports whether there were any. The
// lock is held.
func (t *tree) stopUnsent(match func(SessionID) bool) (any bool) {
	for _, u := range t.unsent {
		if match(u.session) {
			any = true
			u.cancel(errStoppedUnsent)
		}
	}
	return any
}

// carry carries a command out. The files that a message names are read first, if it starts a run.
func (s *Supervisor) carry(ctx context.Context, command Command) (Reply, *change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var attached Attached
	if send, is := command.(Send); is {
		var err error
		if attached, err = s.read(ctx, send); err != nil {
			return Reply{}, nil, err
		}
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
