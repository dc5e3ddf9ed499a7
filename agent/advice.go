package agent

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// endedAdvice says that nothing of a run that did not complete is still running, and how
// far it came.
func (r RunReport) endedAdvice() string {
	const text = "Nothing of it is running any more"
	switch {
	case r.Steps == 0:
		return text + "; it had not begun, and changed nothing. "
	case r.Last == "":
		return text + "; it had used no tool. "
	}
	return text + "; what it had changed stands. The last tool it used: " + brief(r.Last) + ". "
}

// Advice says whether anything of the run is still running, what it was denied, and what
// its parent's model can do next.
func (r RunReport) Advice() string {
	return joinSentences(r.next(), r.unread(), r.worktree(), r.refused())
}

// unread says that messages to a run came too late for it.
func (r RunReport) unread() string {
	if r.Unread == 0 {
		return ""
	}
	return fmt.Sprintf("It ended before it had read %s of yours: send again what still matters.", words.CountOf(r.Unread, "message", "messages"))
}

func (r RunReport) next() string {
	if r.Kind == lifecycle.KindShell {
		return r.shellAdvice()
	}
	resume := fmt.Sprintf("agent_send to %s, or agent with resume", r.Agent)
	switch r.State {
	case lifecycle.StateQueued:
		return "Nothing of it is running yet. " + waitAdvice
	case lifecycle.StateRunning:
		if r.Cause != "" {
			return "What it started may still be at work. You will be told when it has ended; until then do not count on its being gone."
		}
		return waitAdvice
	case lifecycle.StateCompleted:
		return "Nothing of it is running any more. To ask it something further, use " + resume + "."
	case lifecycle.StateCompletedEmpty:
		return r.endedAdvice() + "Ask it for its findings with " + resume + ", or do the work another way."
	case lifecycle.StateFailed:
		return r.endedAdvice() + failureAdvice(r.Error, resume, r.leftovers())
	case lifecycle.StateCanceledByUser:
		return r.endedAdvice() + stopAdvice(r.Cause)
	case lifecycle.StateCanceledByAgent:
		return r.endedAdvice() + "It can be resumed with " + resume + "."
	case lifecycle.StateInterrupted:
		if r.Cause == lifecycle.CauseWorkerLost {
			return r.lostAdvice() + "It can be resumed with " + resume + "."
		}
		return r.endedAdvice() + "A signal, a closed terminal or a crash ended Pawl before it was done: do not assume that it finished; ask the user before you resume it with " + resume + "."
	}
	return ""
}

// lostAdvice is for a run of which nothing is heard any more.
func (r RunReport) lostAdvice() string {
	text := "Nothing that it still does there counts; what it changed there has not come back, and what it did elsewhere stands: do not assume that it finished. "
	switch {
	case r.Steps == 0:
		return "It had not begun: do not assume that it finished anything. "
	case r.Last == "":
		return text
	}
	return text + "The last tool it used: " + brief(r.Last) + ". "
}

// brief cuts text from elsewhere to one short line.
func brief(text string) string {
	return strings.TrimRight(words.CutLine(text, 200), ".")
}

// maxName is the longest description of a subagent in a sentence, in characters.
const maxName = 60

// waitAdvice is for runs that have not ended.
const waitAdvice = "You will be told when it ends. You know nothing about its result until then; do not poll, duplicate or relaunch it."

// stopAdvice distinguishes a stop by a person from one by a limit.
func stopAdvice(cause lifecycle.Cause) string {
	switch cause {
	case lifecycle.CauseAgentsStop, lifecycle.CauseDrainTimeout:
		return "Nobody judged its work: the limit was set beforehand. Use what there is, and do not start it again unless asked to."
	case lifecycle.CauseKey, lifecycle.CauseSIGINT, lifecycle.CauseCommand, lifecycle.CauseQuit,
		lifecycle.CauseAgentStop, lifecycle.CauseRunEnd, lifecycle.CauseProcessEnd, lifecycle.CauseWorkerLost:
	}
	return "A person wanted this: use what there is, and do not start it again unless asked to."
}

// leftovers is what to do with the text of a run that did not complete.
func (r RunReport) leftovers() string {
	if r.Silent {
		return "It left no text"
	}
	return "Use the partial text"
}

func failureAdvice(failure *lifecycle.Failure, resume, leftovers string) string {
	if failure == nil {
		return "Resume it with " + resume + " if it is still needed."
	}
	switch failure.Kind {
	case lifecycle.FailProvider, lifecycle.FailRateLimited:
		return "Pawl has already retried what can be retried: do not try again at once. Later it can be resumed with " + resume + "."
	case lifecycle.FailAuth:
		return "Retrying will not help until the user has fixed the key: tell them."
	case lifecycle.FailSetup:
		return "The same call fails again in the same way: fix what the message names if you can, else tell the user."
	case lifecycle.FailJournal:
		return "It could not be recorded, so the log may not know how it ended. Retrying will not help until the user has made room: tell them."
	case lifecycle.FailContextLength:
		return "Its conversation no longer fits its model, so it cannot go on. " + leftovers + "; give what is left to new agents in smaller parts."
	case lifecycle.FailTruncated:
		return leftovers + "; ask for the rest in shorter answers with " + resume + ", or give it to new agents in smaller parts."
	case lifecycle.FailMaxSteps:
		return leftovers + "; give what is left to new agents in smaller parts, or let it go on with " + resume + "."
	case lifecycle.FailRefused:
		return "The model declined: do not repeat the same request."
	case lifecycle.FailBudget:
		return leftovers + ". Going on spends more than the user set aside: do not start it again unless asked to, and say what is missing."
	case lifecycle.FailTool:
		return "A tool broke, which is a bug in Pawl: tell the user. Without that call it can go on with " + resume + "."
	case lifecycle.FailProcess:
		return "Its process died. It may be tried once more with " + resume + "."
	case lifecycle.FailPanic:
		return "That is a bug in Pawl: tell the user. It may be tried once more with " + resume + "."
	}
	return "It may be tried once more with " + resume + "."
}
