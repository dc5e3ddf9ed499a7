package acp

import (
	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// textStream passes a text of the parent's model to the editor, each byte once: as it streams, and
// what did not come that way as it is recorded.
type textStream struct {
	hide     mask.Mask
	recorded int // bytes of the step's text in its records
	sent     int
	begun    bool // something of it was sent
	stream   mask.Stream
}

// streamed returns the new part of the whole text so far.
func (v *textStream) streamed(whole string) string {
	if len(whole) <= v.sent {
		return ""
	}
	fresh := whole[v.sent:]
	v.sent = len(whole)
	return v.clean(fresh)
}

// noted returns the part of a recorded piece that was not sent yet.
func (v *textStream) noted(piece string) string {
	start := v.recorded
	v.recorded += len(piece)
	if v.recorded <= v.sent {
		return ""
	}
	fresh := piece[max(0, v.sent-start):]
	v.sent = v.recorded
	return v.clean(fresh)
}

// clean masks and sanitises a text but keeps tabs and line breaks, for people to read and copy.
func (v *textStream) clean(fresh string) string {
	return string(sanitize.Paste(v.stream.Next(v.hide, fresh)))
}

// speech is what the parent's model says in the current step.
type speech struct {
	run      lifecycle.RunID
	step     int
	text     textStream
	thinking textStream
}

// open starts the texts of a step.
func (s *speech) open(run lifecycle.RunID, step int, hide mask.Mask) {
	*s = speech{run: run, step: step, text: textStream{hide: hide}, thinking: textStream{hide: hide}}
}

// says reports whether progress belongs to the current step.
func (s *speech) says(p lifecycle.Progress) bool { return p.Run == s.run && p.Step == s.step }
