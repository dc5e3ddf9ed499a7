package lifecycle

import (
	"cmp"
	"strings"

	"pawl/internal/words"
)

// This file has the words for every state, cause and failure. A front end, a tool and an
// export take them from here, each in its voice.

// Voice says whom words are for.
type Voice int

// The voices. Words for a model and for a person follow the name of the run, without a
// full stop.
const (
	ForModel  Voice = iota // the parent's model, which is "you"
	ForCard                // the user, beside the name of the run on the screen
	ForBrief               // the same in one word
	ForPerson              // the user, in a sentence
	ForPage                // the readers of an export
)

// row is the words for one thing. Where a voice has none of its own, those of the card
// serve.
type row struct{ model, card, brief, person, page string }

func (r row) in(v Voice) string {
	own := ""
	switch v {
	case ForModel:
		own = r.model
	case ForBrief:
		own = r.brief
	case ForPerson:
		own = r.person
	case ForPage:
		own = r.page
	case ForCard:
	}
	return cmp.Or(own, r.card)
}

// Words is the state in a voice, whatever led to it.
func (s State) Words(v Voice) string {
	r := row{card: string(s), model: "is " + string(s)} // of a newer Pawl
	switch s {
	case StateQueued:
		r = row{model: "waits for a free slot", card: "queued", person: "waits for a slot"}
	case StateRunning:
		r = row{model: "is running", card: "running", person: "is running"}
	case StateCompleted:
		r = row{card: "completed", brief: "done"}
	case StateCompletedEmpty:
		r = row{
			model: "ended normally, but reported nothing, even after it was asked for its findings once more",
			card:  "ended without an answer", brief: "empty",
		}
	case StateFailed:
		r = row{card: "failed"}
	case StateCanceledByUser:
		r = row{model: "was stopped", card: "stopped by you", brief: "stopped", person: "was stopped by you", page: "stopped by the user"}
	case StateCanceledByAgent:
		r = row{model: "was stopped by you", card: "stopped by the main agent", brief: "stopped", person: "was stopped by the main agent"}
	case StateInterrupted:
		const when = "was interrupted when Pawl's process ended"
		r = row{model: when, card: "interrupted", person: when}
	}
	return r.in(v)
}

// Words says who or what asked for an end, or brought it. For a model it is a sentence of
// its own, else it follows the word "stopped". It is empty for an end that nobody asked for.
func (c Cause) Words(v Voice) string {
	r := row{card: "by " + string(c), model: "no cause was recorded"} // of a newer Pawl
	switch c {
	case "":
		if v != ForModel {
			return ""
		}
	case CauseKey:
		r = row{model: "the user pressed a key to stop it", card: "by you", page: "by the user, with a key"}
	case CauseSIGINT:
		r = row{
			model: "an interrupt signal (SIGINT, as Ctrl+C sends it) ended Pawl and all that ran",
			card:  "by SIGINT", page: "by the user, with SIGINT",
		}
	case CauseCommand:
		r = row{model: "the user stopped it with a command", card: "by you", page: "by the user, with a command"}
	case CauseQuit:
		r = row{model: "the user quit Pawl and chose to stop what still ran", card: "when you quit", page: "by the user, who quit"}
	case CauseAgentStop:
		r = row{model: "you stopped it with agent_stop", card: "by the main agent"}
	case CauseAgentsStop:
		r = row{model: "Pawl was started to stop all subagents once you were done (--agents stop)", card: "by --agents stop"}
	case CauseDrainTimeout:
		r = row{model: "the time limit for finishing background work ran out", card: "by --drain-timeout"}
	case CauseRunEnd:
		r = row{model: "the run that it was started for has ended", card: "when the run that started it ended"}
	case CauseProcessEnd:
		r = row{model: "Pawl's process is ending", card: "when Pawl's process ended"}
	case CauseWorkerLost:
		r = row{model: "the worker on another machine that ran it was lost", card: "when its worker was lost"}
	}
	return r.in(v)
}

// Words is the kind as people read it in front of a message.
func (k FailureKind) Words() string {
	switch k {
	case FailProvider:
		return "model server"
	case FailRateLimited:
		return "rate limit"
	case FailAuth:
		return "API key"
	case FailContextLength:
		return "conversation too long"
	case FailTruncated:
		return "answer too long"
	case FailRefused:
		return "refused by the model"
	case FailMaxSteps:
		return "step limit"
	case FailBudget:
		return "budget"
	case FailSetup:
		return "not started"
	case FailTool:
		return "bug in a tool"
	case FailJournal:
		return "not saved"
	case FailProcess:
		return "its process died"
	case FailPanic:
		return "bug in Pawl"
	}
	return string(k) // of a newer Pawl
}

// Status is how a run stands: its state, and what led to it.
type Status struct {
	Kind   Kind
	State  State
	Cause  Cause // of a run that has not ended: it was asked to stop
	Reason string
	Error  *Failure
}

// Status is how the run stands.
func (r Run) Status() Status {
	return Status{Kind: r.Kind, State: r.State, Cause: r.Cause, Reason: r.Reason, Error: r.Error}
}

// Status is how the run had ended.
func (n Notice) Status() Status {
	return Status{Kind: n.Kind, State: n.State, Cause: n.Cause, Reason: n.Reason, Error: n.Error}
}

// Words is how a run stands, true to what led to it.
func (s Status) Words(v Voice) string {
	switch {
	case s.State == StateRunning && s.Cause != "" && v == ForModel:
		return "was asked to stop and is still ending: " + s.because()
	case s.State == StateFailed && s.Error != nil:
		return s.failure(v)
	case s.State == StateCanceledByUser || s.State == StateCanceledByAgent:
		return s.stopped(v)
	case s.State == StateInterrupted && s.Cause == CauseWorkerLost:
		return s.lost(v)
	case s.State == StateInterrupted && v == ForCard:
		return s.State.Words(v) + " " + CauseProcessEnd.Words(v)
	case s.Kind == KindShell && s.State.Terminal() && s.State != StateInterrupted && s.State != StateFailed:
		return row{model: "ended: exit code 0", card: "exit code 0", brief: s.State.Words(v), person: "ended: exit code 0", page: s.State.Words(v)}.in(v)
	}
	return s.State.Words(v)
}

// stopped says on whose request the run was stopped.
func (s Status) stopped(v Voice) string {
	byAgent := s.State == StateCanceledByAgent && s.Cause != CauseRunEnd
	switch {
	case v == ForBrief || s.Cause == "" && v != ForModel:
		return s.State.Words(v)
	case v == ForModel && byAgent:
		return strings.TrimSuffix(s.State.Words(v)+" with "+s.stopTool()+": "+brief(s.Reason), ": ")
	case v == ForModel:
		return "was stopped: " + s.because()
	}
	by := s.Cause.Words(v)
	if byAgent && s.Kind == KindShell {
		by = "by its agent"
	}
	if v == ForPerson {
		return "was stopped " + by
	}
	return "stopped " + by
}

// lost says that nothing is heard of what worked at the run.
func (s Status) lost(v Voice) string {
	text := "interrupted " + CauseWorkerLost.Words(ForCard)
	r := row{card: text, brief: "interrupted", person: "was " + text, model: "was interrupted: " + s.because()}
	return r.in(v)
}

// failure says how the run failed. A command that ran to an end of its own has an exit
// code for that.
func (s Status) failure(v Voice) string {
	message := strings.TrimRight(s.Error.Message, ". \n")
	if s.Kind == KindShell && s.Error.Kind == FailProcess {
		return row{model: "ended: " + message, card: s.Error.Message, brief: s.State.Words(v), person: "ended: " + message, page: s.State.Words(v)}.in(v)
	}
	switch v {
	case ForModel:
		return s.State.Words(v) + " (" + string(s.Error.Kind) + "): " + message
	case ForPerson:
		return s.State.Words(v) + ": " + s.Error.Line()
	case ForCard, ForBrief, ForPage:
	}
	return s.State.Words(v)
}

// because is the cause for a model, with the reason that was given beside it.
func (s Status) because() string {
	text := s.Cause.Words(ForModel)
	if s.Cause == CauseAgentStop {
		text = "you stopped it with " + s.stopTool()
	}
	if s.Reason != "" {
		text += " (" + brief(s.Reason) + ")"
	}
	return text
}

// stopTool is the tool with which the parent's model stops such a run.
func (s Status) stopTool() string {
	if s.Kind == KindShell {
		return "shell_kill"
	}
	return "agent_stop"
}

// brief keeps a reason that somebody gave to a length that fits a sentence.
func brief(text string) string { return strings.TrimRight(words.CutLine(text, 200), ".") }
