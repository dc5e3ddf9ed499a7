package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/export/book"
	"pawl/lifecycle"
)

// transcriptCursor is a transcript that is read beside the log: each of its lines that has a record
// is met when that record is. It holds a few messages at a time.
type transcriptCursor struct {
	src     book.Source
	session lifecycle.SessionID
	upto    lifecycle.Seq

	read  int // messages so far
	met   int // the place of the last one that has a record, of those that were met
	over  bool
	ahead []line // not met yet

	open map[lifecycle.CallID]lifecycle.RunID // calls without a result so far
}

// line is one piece of a transcript, as the log could know it.
type line struct {
	kind    lineKind
	place   int // of its message, 1 for the first
	run     lifecycle.RunID
	call    lifecycle.CallID
	message lifecycle.MessageID
	source  lifecycle.RunID
	from    string // of a message of somebody's: who wrote it
	tool    string // of a call and its result
	text    string
	keep    int             // of a rewind: how many messages before it the model still knows
	carries json.RawMessage // of a call: the runs that stand on it
}

// lineKind says what a line is, and so which record knows it.
type lineKind string

const (
	lineAnswer  lineKind = "answer"       // of the model: what opens its calls; only a last one has a record, the end
	lineAside   lineKind = "aside"        // of Pawl: a nudge, or what a hook says; it may be a prompt
	linePrompt  lineKind = "prompt"       // spawned
	lineMessage lineKind = "message"      // message_taken
	lineNotice  lineKind = "notification" // notification_delivered
	lineCall    lineKind = "tool call"    // tool_started
	lineResult  lineKind = "result"       // tool_ended
	lineSummary lineKind = "summary"      // compacted
	lineRewind  lineKind = "rewind"       // rewound
)

// silent says that a line needs no record.
func (l line) silent() bool { return l.kind == lineAnswer || l.kind == lineAside }

const (
	transcriptPage = 64 // messages read at once; each session holds as many
	lookAhead      = 64 // lines among which one is looked for that does not come next
)

// forget lets go of a call that was named.
func (c *transcriptCursor) forget(call lifecycle.CallID) {
	if c != nil {
		delete(c.open, call)
	}
}

// fill reads on until so many lines are ahead, or the transcript is over.
func (c *transcriptCursor) fill(ctx context.Context, want int) error {
	for !c.over && len(c.ahead) < want {
		some, err := c.src.Messages(ctx, c.session, c.upto, c.read, transcriptPage)
		if err != nil {
			return fmt.Errorf("read the transcript of session %s: %w", c.session, err)
		}
		for _, m := range some {
			c.read++
			c.ahead = append(c.ahead, lines(m, c.read)...)
		}
		c.over = len(some) < transcriptPage
	}
	return nil
}

func lines(m book.Message, place int) []line {
	one := line{place: place, run: m.Run, message: m.Message, source: m.Source, from: m.From, text: firstText(m)}
	switch m.Kind {
	case lifecycle.EntryUser:
		one.kind = linePrompt
		if m.From == lifecycle.FromPawl {
			one.kind = lineAside
		}
		if m.Message != "" {
			one.kind = lineMessage
		}
	case lifecycle.EntryNotification:
		one.kind = lineNotice
	case lifecycle.EntrySummary:
		one.kind = lineSummary
	case lifecycle.EntryRewind:
		one.kind, one.keep = lineRewind, m.Keep
	case lifecycle.EntryToolResult:
		var all []line
		for _, p := range m.Parts {
			all = append(all, line{kind: lineResult, place: place, run: m.Run, call: p.Call, tool: p.Name, text: p.Text})
		}
		return all
	case lifecycle.EntryAssistant:
		all := []line{{kind: lineAnswer, place: place, run: m.Run, text: allText(m)}}
		for _, p := range m.Parts {
			if p.Type == book.PartCall {
				all = append(all, line{kind: lineCall, place: place, run: m.Run, call: p.Call, tool: p.Name, carries: p.Metadata})
			}
		}
		return all
	}
	return []line{one}
}

func firstText(m book.Message) string {
	for _, p := range m.Parts {
		if p.Type == book.PartText {
			return p.Text
		}
	}
	return ""
}

// allText is what a model said, as the result of a run has it.
func allText(m book.Message) string {
	var text strings.Builder
	for _, p := range m.Parts {
		if p.Type == book.PartText {
			text.WriteString(p.Text)
		}
	}
	return strings.TrimSpace(text.String())
}

// maxUnmatched is how many lines in a row may have no record. Where more stand before one that
// fits, that one is in the wrong place, and not they.
const maxUnmatched = 3

// advanceTo goes on to the line that fits, and gives those before it too: what is not silent
// among them has no record. Where none fits, it stays where it is; one that stands in the
// wrong place is taken out there, and given alone.
func (c *transcriptCursor) advanceTo(ctx context.Context, fits func(line) bool) (met []line, ok bool, err error) {
	for {
		if err := c.fill(ctx, lookAhead); err != nil {
			return nil, false, err
		}
		for i, l := range c.ahead {
			if fits(l) && recorded(c.ahead[:i]) > maxUnmatched {
				c.ahead = slices.Delete(append(met, c.ahead...), len(met)+i, len(met)+i+1)
				return []line{l}, false, nil
			}
			if fits(l) {
				met, c.ahead = append(met, c.ahead[:i+1]...), c.ahead[i+1:]
				return met, true, nil
			}
		}
		silent := 0
		for silent < len(c.ahead) && c.ahead[silent].silent() {
			silent++
		}
		if silent == 0 || silent < len(c.ahead) || c.over {
			c.ahead = append(met, c.ahead...)
			return nil, false, nil
		}
		met, c.ahead = append(met, c.ahead...), nil
	}
}

func recorded(lines []line) (n int) {
	for _, l := range lines {
		if !l.silent() {
			n++
		}
	}
	return n
}

// checkLines takes in the lines that were met.
func (a *audit) checkLines(s *sessionAudit, met []line, known bool) {
	for i, l := range met {
		if !l.silent() && (!known || i < len(met)-1) {
			a.unrecorded(s, l)
			continue
		}
		a.checkLine(s, l)
	}
}

// unrecorded is a line without a record.
func (a *audit) unrecorded(s *sessionAudit, l line) {
	f := Fault{Promise: promiseOnRecord, Record: a.at, Session: s.id, Call: l.call}
	f.Message = fmt.Sprintf("message %d of session %s is a %s without a record of its own there", l.place, s.name, l.kind)
	switch l.kind {
	case lineResult:
		f.Promise = promiseAnswered
		f.Message = fmt.Sprintf("message %d of session %s is a result that no call is waiting for", l.place, s.name)
	case lineNotice:
		f.Promise = promiseTold
		f.Message = fmt.Sprintf("message %d of session %s reports the end of run %s, but that is not delivered there", l.place, s.name, a.name(l.source))
	case lineAnswer, lineAside, linePrompt, lineMessage, lineCall, lineSummary, lineRewind:
	}
	a.note(f)
}

// checkLine holds one line against what is promised of transcripts by themselves.
func (a *audit) checkLine(s *sessionAudit, l line) {
	fault := func(p Promise, call lifecycle.CallID, format string, args ...any) {
		a.note(Fault{Promise: p, Record: a.at, Session: s.id, Call: call, Message: fmt.Sprintf("message %d of session %s: ", l.place, s.name) + fmt.Sprintf(format, args...)})
	}
	if a.runs[l.run].Session != s.id {
		fault(promiseOnRecord, l.call, "it belongs to run %s, which is not in the session", a.name(l.run))
	}
	if l.kind == lineAnswer {
		c := s.counted(l.run)
		if c.answers++; c.answers > max(c.paid, a.runs[l.run].Step) {
			fault(promiseOnRecord, "", "it is answer %d of run %s, but no record says that the model was asked that often", c.answers, a.name(l.run))
		}
	}
	switch l.kind {
	case lineAnswer, lineSummary:
		for call := range s.transcript.open {
			fault(promiseAnswered, call, "the model speaks before the call has its result")
			s.forget(call)
		}
	case lineCall:
		s.transcript.open[l.call] = l.run
		a.carried(s, l)
	case lineResult:
		delete(s.transcript.open, l.call)
	case lineAside, linePrompt, lineMessage, lineNotice, lineRewind:
	}
	if l.kind != lineAnswer && l.kind != lineCall && l.kind != lineRewind && strings.TrimSpace(l.text) == "" {
		fault(promiseWords, l.call, "the %s is empty", l.kind)
	}
}
