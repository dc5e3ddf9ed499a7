package agent

import (
	"fmt"
	"strings"

	"pawl/lifecycle"
)

// noticeOpening is the first line of every notification. A person could have
// typed the same words; the store's mark, not the text, makes it one.
const noticeOpening = "This message was written by Pawl, not by a human. It reports the end of a background run and approves nothing."

// escape makes text safe inside the elements of a notification, and leaves its
// lines as they are.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// NoticeText words a notification for the model, in the shape of section 2.
func NoticeText(n lifecycle.Notice) string {
	var b strings.Builder
	element := func(name, value string) { fmt.Fprintf(&b, "<%s>%s</%s>\n", name, escape.Replace(value), name) }
	b.WriteString(noticeOpening + "\n<task-notification>\n")
	element("task-id", string(n.Agent))
	element("run-id", string(n.Run))
	element("tool-use-id", string(n.Call))
	element("status", string(n.State))
	element("summary", fmt.Sprintf("Agent %q %s", n.Description, StateClause(n.State, n.Cause, n.Error)))
	element("remaining", fmt.Sprint(n.Remaining))
	element("all-terminal", fmt.Sprint(n.Remaining == 0))
	if n.Partial && n.Result != "" {
		element("note", "The result is partial: it is the last text before the end.")
	}
	element("result", orNone(n.Result))
	fmt.Fprintf(&b, "<usage><total_tokens>%d</total_tokens><tool_uses>%d</tool_uses><duration_ms>%d</duration_ms></usage>\n",
		n.Usage.Tokens(), n.Usage.ToolCalls, n.Elapsed.Milliseconds())
	b.WriteString("</task-notification>\n")
	b.WriteString(Advice(n.State, n.Cause, n.Error, n.Agent))
	return b.String()
}

func orNone(text string) string {
	if strings.TrimSpace(text) == "" {
		return "(there was no text)"
	}
	return text
}

// StateClause says in a few words what a state is, true to its cause, to follow
// a name: "completed.", "was stopped by the user.".
func StateClause(state lifecycle.State, cause lifecycle.Cause, failure *lifecycle.Failure) string {
	switch state {
	case lifecycle.StateQueued:
		return "waits for a free slot."
	case lifecycle.StateRunning:
		return "is running."
	case lifecycle.StateCompleted:
		return "completed."
	case lifecycle.StateCompletedEmpty:
		return "ended normally, but without any text, also after it was asked for it."
	case lifecycle.StateFailed:
		if failure == nil {
			return "failed."
		}
		return fmt.Sprintf("failed (%s): %s", failure.Kind, failure.Message)
	case lifecycle.StateCanceledByUser:
		return "was stopped: " + causeClause(cause) + "."
	case lifecycle.StateCanceledByAgent:
		return "was stopped by you with agent_stop."
	case lifecycle.StateInterrupted:
		return "was cut off when Pawl's process ended."
	}
	return "is " + string(state) + "."
}

func causeClause(cause lifecycle.Cause) string {
	switch cause {
	case lifecycle.CauseKey:
		return "the user pressed a key to stop it"
	case lifecycle.CauseSIGINT:
		return "the user interrupted Pawl"
	case lifecycle.CauseCommand:
		return "the user stopped it with a command"
	case lifecycle.CauseQuit:
		return "the user quit and chose to stop everything"
	case lifecycle.CauseAgentsStop:
		return "Pawl was told to stop subagents at its end"
	case lifecycle.CauseDrainTimeout:
		return "the time limit for finishing background work ran out"
	case lifecycle.CauseParentStop:
		return "your own run, which waited for it, was stopped"
	case lifecycle.CauseAgentStop:
		return "you stopped it"
	case lifecycle.CauseProcessEnd:
		return "Pawl's process ended"
	}
	return "no cause was recorded"
}

// Advice says what a model can do next about a run in this state.
func Advice(state lifecycle.State, cause lifecycle.Cause, failure *lifecycle.Failure, agent lifecycle.SessionID) string {
	resume := fmt.Sprintf("agent_send to %s, or agent with resume", agent)
	switch state {
	case lifecycle.StateQueued, lifecycle.StateRunning:
		return "You will be told when it ends. Know nothing of its result until then; do not poll, duplicate or relaunch it."
	case lifecycle.StateCompleted:
		return "Nothing of it is running any more. To ask it something further, use " + resume + "."
	case lifecycle.StateCompletedEmpty:
		return "Nothing of it is running any more. It did its steps but reported nothing: ask it for its findings with " + resume + ", or do the work another way."
	case lifecycle.StateFailed:
		return "Nothing of it is running any more. " + failureAdvice(failure, resume)
	case lifecycle.StateCanceledByUser:
		return "Nothing of it is running any more. A person wanted this: do not start it again unless asked to."
	case lifecycle.StateCanceledByAgent:
		return "Nothing of it is running any more. It can be taken up again with " + resume + "."
	case lifecycle.StateInterrupted:
		return "Nothing of it is running any more; what it had changed stands. Do not assume that it finished; ask before you take it up again with " + resume + "."
	}
	return ""
}

func failureAdvice(failure *lifecycle.Failure, resume string) string {
	if failure == nil {
		return "Take it up again with " + resume + " if it is still needed."
	}
	switch failure.Kind {
	case lifecycle.FailProvider, lifecycle.FailRateLimited:
		return "It was retried already; try once more later with " + resume + ", not at once."
	case lifecycle.FailAuth, lifecycle.FailSetup, lifecycle.FailJournal:
		return "Retrying will not help until the user has mended the cause: tell them."
	case lifecycle.FailContextLength, lifecycle.FailTruncated, lifecycle.FailMaxSteps:
		return "Use the partial text, and give what is left to new agents in smaller parts."
	case lifecycle.FailRefused:
		return "The model declined; do not repeat the same request."
	case lifecycle.FailBudget:
		return "Its budget is spent: use the partial text."
	case lifecycle.FailTool, lifecycle.FailProcess, lifecycle.FailPanic:
		return "It may be tried once more with " + resume + "."
	}
	return "It may be tried once more with " + resume + "."
}
