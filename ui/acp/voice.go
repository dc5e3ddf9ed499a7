package acp

import (
	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// voice is a text of the parent's model on its way to the editor: as it streams, and
// what did not come that way as it is recorded; each byte once.
type voice struct {
	hide     mask.Mask
	recorded int // bytes of the step's text, in its records
	sent     int
	begun    bool // something of it was told
	stream   mask.Stream
}

// streamed gives what is new of the whole text so far.
func (v *voice) streamed(whole string) string {
	if len(whole) <= v.sent {
		return ""
	}
	fresh := whole[v.sent:]
	v.sent = len(whole)
	return v.clean(fresh)
}

// noted gives what is new of a recorded piece.
func (v *voice) noted(piece string) string {
	start := v.recorded
	v.recorded += len(piece)
	if v.recorded <= v.sent {
		return ""
	}
	fresh := piece[max(0, v.sent-start):]
	v.sent = v.recorded
	return v.clean(fresh)
}

// clean is for a person to read and copy, so tabs and lines stay.
func (v *voice) clean(fresh string) string {
	return string(sanitize.Paste(v.stream.Next(v.hide, fresh)))
}

// speech is what the parent's model says in the step that is open.
type speech struct {
	run      lifecycle.RunID
	step     int
	text     voice
	thinking voice
}

// open begins the next text.
func (s *speech) open(run lifecycle.RunID, step int, hide mask.Mask) {
	*s = speech{run: run, step: step, text: voice{hide: hide}, thinking: voice{hide: hide}}
}

// says reports whether progress is of the step that is open.
func (s *speech) says(p lifecycle.Progress) bool { return p.Run == s.run && p.Step == s.step }
