package verify

import (
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// entry is what a record must have in a transcript.
type entry struct {
	in      *sessionAudit
	kind    lineKind
	run     lifecycle.RunID // whose message it is
	call    lifecycle.CallID
	promise Promise
	words   string // it has these; empty: whatever they are
	from    string // and is from there
	tool    string // and of this tool
	fits    func(line) bool
}

// onRecord: what a transcript has is in the log, and the reverse. Both are written in one
// transaction, so they stand in the same order.
func (a *audit) onRecord(t *transition) error {
	if _, is := t.rec.Event.(lifecycle.UsageReported); is {
		a.sessions[t.rec.Session].counted(t.rec.Run).paid++
	}
	place := 0
	a.changes.arrive(t.rec, a.sessions[a.root].transcript.met)
	defer func() { a.pointAt(t, place) }()
	e, has := a.entryOf(t)
	if !has || e.in == nil || e.in.transcript == nil || a.src.Messages == nil {
		return nil
	}
	met, ok, err := e.in.transcript.advanceTo(a.ctx, e.fits)
	if err != nil {
		return err
	}
	if !ok {
		what := fmt.Sprintf("session %s has no %s for it", e.in.name, e.kind)
		if len(met) > 0 {
			what = fmt.Sprintf("its %s is in another place, as message %d of session %s", e.kind, met[0].place, e.in.name)
		}
		e.in.transcript.forget(e.call) // it is named here
		a.fault(e.promise, t.rec.Run, e.call, "%s: %s", lifecycle.Name(t.rec.Event), what)
		return nil
	}
	a.checkLines(e.in, met, true)
	l := met[len(met)-1]
	place = l.place
	e.in.transcript.met = max(e.in.transcript.met, place)
	switch {
	case l.run != e.run:
		a.fault(promiseOnRecord, t.rec.Run, e.call, "message %d of session %s belongs to run %s", l.place, e.in.name, a.name(l.run))
	case e.words != "" && l.text != e.words && a.hide.Text(l.text) != a.hide.Text(e.words):
		a.fault(promiseOnRecord, t.rec.Run, "", "message %d of session %s has a different text from the record", l.place, e.in.name)
	case e.from != "" && l.from != e.from:
		a.fault(promiseOnRecord, t.rec.Run, "", "message %d of session %s is from %q, but its record is from %q", l.place, e.in.name, l.from, e.from)
	case e.tool != l.tool && a.hide.Text(e.tool) != a.hide.Text(l.tool):
		a.fault(promiseOnRecord, t.rec.Run, e.call, "message %d of session %s is of the tool %q, but its record is of %q", l.place, e.in.name, l.tool, e.tool)
	case l.kind == lineRewind:
		a.keeps(t, l.keep)
	}
	return nil
}

// entryOf is what a record has in a transcript, if it has something there.
func (a *audit) entryOf(t *transition) (entry, bool) {
	own := entry{in: a.sessions[t.rec.Session], run: t.rec.Run, promise: promiseOnRecord}
	switch e := t.rec.Event.(type) {
	case lifecycle.Spawned:
		own.kind, own.words, own.from = linePrompt, e.Prompt, e.From
		own.fits = func(l line) bool {
			return l.run == t.rec.Run && (l.kind == linePrompt || l.kind == lineAside && l.text == e.Prompt)
		}
		return own, e.Prompt != "" && e.Trigger != lifecycle.TriggerCompact
	case lifecycle.ToolStarted:
		own.kind, own.call, own.tool = lineCall, e.Call, e.Tool
	case lifecycle.ToolEnded:
		own.kind, own.call, own.tool, own.promise = lineResult, e.Call, e.Tool, promiseAnswered
	case lifecycle.MessageTaken:
		own.kind, own.words, own.from = lineMessage, e.Text, e.From
		own.fits = func(l line) bool { return l.kind == lineMessage && l.message == e.Message }
		return own, true
	case lifecycle.Compacted:
		own.kind = lineSummary
		own.fits = func(l line) bool { return l.kind == lineSummary && l.run == t.rec.Run }
		return own, true
	case lifecycle.Rewound:
		own.kind = lineRewind
		own.fits = func(l line) bool { return l.kind == lineRewind && l.run == t.rec.Run }
		return own, e.Conversation
	case lifecycle.Ended:
		own.kind = lineAnswer
		result := a.hide.Text(e.Result)
		own.fits = func(l line) bool { return l.kind == lineAnswer && l.run == t.rec.Run && a.hide.Text(l.text) == result }
		// Of texts that are gone the lengths differ: a result has no space around it.
		return own, e.State == lifecycle.StateCompleted && !a.src.Bare && t.after.Trigger != lifecycle.TriggerCompact
	case lifecycle.NotificationDelivered:
		own.in, own.run, own.kind, own.promise = a.sessions[a.runs[e.InRun].Session], e.InRun, lineNotice, promiseTold
		own.fits = func(l line) bool { return l.kind == lineNotice && l.source == t.rec.Run }
		return own, true
	default:
		return entry{}, false
	}
	own.fits = func(l line) bool { return l.kind == own.kind && l.call == own.call }
	return own, true
}

// lastWords reads what the log does not lead to any more.
func (a *audit) lastWords() error {
	if a.src.Messages == nil {
		return nil
	}
	for _, id := range a.sessionOrder {
		s := a.sessions[id]
		for s.transcript != nil {
			if err := s.transcript.fill(a.ctx, 1); err != nil {
				return err
			}
			if len(s.transcript.ahead) == 0 {
				break
			}
			rest := s.transcript.ahead
			s.transcript.ahead = nil
			a.checkLines(s, rest, false)
		}
	}
	return nil
}

// unseen says what a source cannot show.
func unseen(src book.Source) []string {
	lines := []string{"what a stop left running, and what a power cut would have left on the disk"}
	if len(src.Openings) == 0 {
		limits := lifecycle.DefaultLimits()
		lines = append(lines, fmt.Sprintf("which limits were set (assumed: %d background and %d foreground runs at once, and %d in line)",
			limits.Background, limits.Foreground, limits.Queue))
	}
	if src.Bare {
		lines = append(lines, "what the texts said")
	}
	if src.Messages == nil {
		lines = append(lines, "what models were told")
	}
	return lines
}
