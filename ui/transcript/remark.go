package transcript

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// remark folds the records that leave a line, or a word on a block, or nothing: what cards and
// the queue show is not repeated in the text.
func (c *Conversation) remark(rec lifecycle.Record) {
	switch e := rec.Event.(type) {
	case lifecycle.Waiting:
		c.wait(rec, e)
	case lifecycle.PermissionGranted:
		if b := c.calls[e.Call]; b != nil && e.By == lifecycle.DeciderPerson && (e.Scope == lifecycle.GrantRun || e.Scope == lifecycle.GrantSession) {
			b.note = string("allowed, with " + wording.Reach(b.name, "", e.Scope == lifecycle.GrantRun))
			b.Changed()
		} else if b != nil && e.Scope == lifecycle.GrantAlways {
			b.note = "always allowed from here: " + strings.Join(e.Rules, ", ")
			b.Changed()
		}
	case lifecycle.PermissionDenied:
		c.denied(rec, e)
	case lifecycle.Warned:
		c.note(rec, draw.Caution, sanitize.Clean(e.Message)).Sign = draw.WarningSign
	case lifecycle.Searched:
		c.note(rec, draw.Quiet, sanitize.Line(e.Words()))
	case lifecycle.Nudged:
		c.note(rec, draw.Quiet, "ended without text; asked once to report")
	case lifecycle.Overdue:
		c.note(rec, draw.Caution, draw.Sprintf("the main agent stopped waiting for this run after %s; it keeps running", words.Duration(e.After))).Sign = draw.WarningSign
	case lifecycle.Detached:
		c.note(rec, draw.Quiet, "sent to the background")
	case lifecycle.Compacted:
		c.Full, c.summed = e.After, rec.Run
		c.note(rec, draw.Quiet, draw.Sprintf("earlier messages summarized for the model: %s tokens to %s", draw.Tokens(e.Before), draw.Tokens(e.After)))
	case lifecycle.FilesChanged:
		if e.By == lifecycle.ChangedByCommand || e.Unwatched != "" { // what a tool wrote stands on its card
			c.note(rec, draw.Quiet, sanitize.Line(e.Words()))
		}
	case lifecycle.Landed:
		c.note(rec, draw.Quiet, sanitize.Line(e.Words(c.runs.Run(rec.Run).Description)))
	case lifecycle.Rewound:
		c.note(rec, draw.Quiet, sanitize.Line(e.Words()))
		if e.Conversation {
			c.takeBack(rec)
		}
	case lifecycle.MessageWithdrawn:
		if e.Returned && e.From != lifecycle.FromUser {
			c.note(rec, draw.Quiet, draw.Sprintf("not delivered: %s", e.Text))
		}
	default: // nothing to remark
	}
}

// wait shows why nothing happens, in one line that the next reason replaces.
func (c *Conversation) wait(rec lifecycle.Record, e lifecycle.Waiting) {
	if e.Discarded {
		c.discard()
	}
	text := sanitize.Line(e.Why)
	c.tries = max(c.tries, e.Attempt+1)
	if e.Attempt > 1 {
		text = draw.Sprintf("%s (attempt %d)", text, e.Attempt)
	}
	if c.waiting == nil {
		c.waiting = c.note(rec, draw.Quiet, "")
	}
	c.waiting.Text = string(text)
	c.waiting.Changed()
}

func (c *Conversation) denied(rec lifecycle.Record, e lifecycle.PermissionDenied) {
	text := draw.Sprintf("denied by %s", wording.Decider(e.By))
	if e.By == lifecycle.DeciderNobody {
		text = "denied"
	}
	if e.Reason != "" {
		text = draw.Sprintf("%s: %s", text, e.Reason)
	}
	if b := c.calls[e.Call]; b != nil {
		b.note = string(text)
		b.Changed()
		return
	}
	c.note(rec, draw.Caution, draw.Sprintf("%s %s %s", e.Tool, e.Subject, text)).Sign = draw.DeniedSign
}

// end ends a run. A completed one needs no line.
func (c *Conversation) end(rec lifecycle.Record, e lifecycle.Ended) {
	for _, b := range c.calls {
		b.state = lifecycle.ToolCanceled
		b.Changed()
	}
	clear(c.calls)
	c.Close()
	if c.output != nil {
		c.shellEnded(rec, e)
		return
	}
	switch e.State {
	case lifecycle.StateCompleted:
		if c.runs.Run(rec.Run).Trigger == lifecycle.TriggerCompact && c.summed != rec.Run {
			c.note(rec, draw.Quiet, sanitize.Line(e.Result)) // why nothing else is shown
		}
	case lifecycle.StateCompletedEmpty:
		c.note(rec, draw.Caution, endedWords(e)).Sign = draw.EmptySign
	case lifecycle.StateFailed:
		c.note(rec, draw.Failure, failureWords(e.Error, c.tries, c.runs.Run(rec.Run).Resumable())).Sign = draw.FailedSign
	case lifecycle.StateCanceledByUser:
		c.note(rec, draw.Caution, endedWords(e)).Sign = draw.StoppedSign
	case lifecycle.StateCanceledByAgent:
		c.note(rec, draw.Caution, endedWords(e)).Sign = draw.StoppedSign
	case lifecycle.StateInterrupted:
		c.note(rec, draw.Caution, endedWords(e)).Sign = draw.CutOffSign
	case lifecycle.StateQueued, lifecycle.StateRunning: // not final states
	}
}

// failureWords says what went wrong, and what a person can do about it.
func failureWords(f *lifecycle.Failure, tries int, resumable bool) sanitize.Text {
	if f == nil {
		return "failed"
	}
	text := draw.Sprintf("%s: %s", f.Kind.Words(), sanitize.Clean(f.Message))
	if advice := failureAdvice(f.Kind, tries, resumable); advice != "" {
		text += "\n" + advice
	}
	return text
}

func failureAdvice(kind lifecycle.FailureKind, tries int, resumable bool) sanitize.Text {
	switch kind {
	case lifecycle.FailAuth:
		return "Pawl reads API keys when it starts; pawl doctor shows which are set. Your message is in the history (↑)."
	case lifecycle.FailProvider, lifecycle.FailRateLimited:
		return retryAdvice(tries, resumable)
	case lifecycle.FailContextLength:
		return "The conversation no longer fits in the model's context. Start a new session, or hand the work to subagents."
	case lifecycle.FailTruncated:
		return "What arrived is above. Send a message to continue."
	case lifecycle.FailMaxSteps:
		return "Its changes are kept. Send a message to continue."
	case lifecycle.FailBudget:
		return "Its changes are kept. Your next message starts a run with a new budget. A session's budget covers the whole session, and a day's all sessions of that day: raise the limit and restart Pawl."
	case lifecycle.FailJournal:
		return "The session could not be saved. Free disk space, then send your message again."
	case lifecycle.FailSetup:
		return "Nothing was started. Fix the cause, then send your message again."
	case lifecycle.FailPanic:
		return "This is a bug in Pawl; the log has the details."
	case lifecycle.FailTool:
		return "This is a bug in Pawl; the log has the details. Send a message to continue."
	case lifecycle.FailRefused, lifecycle.FailProcess:
	}
	return ""
}

// retryAdvice says how often the model was asked, and how to ask again.
func retryAdvice(tries int, resumable bool) sanitize.Text {
	again := sanitize.Text("Send a message to try again.")
	if resumable {
		again = "Enter tries again."
	}
	if tries < 2 {
		return again
	}
	return draw.Sprintf("Gave up after %d tries. %s", tries, again)
}

// endedWords says how a run ended, and why.
func endedWords(e lifecycle.Ended) sanitize.Text {
	return sanitize.Line(lifecycle.Status{State: e.State, Cause: e.Cause}.Words(lifecycle.ForCard))
}
