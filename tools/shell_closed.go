package tools

import (
	"context"
	"fmt"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools/process"
)

// askOutside asks whether a command that the closed sandbox has refused something is to run again
// outside it, and says how that ended, for the model. Without a yes nothing is repeated.
func askOutside(ctx context.Context, call agent.Invocation, args shellInput, done process.Finished) (yes bool, note string) {
	tried := closedNote(done.Refused)
	if call.Ask == nil {
		return false, tried
	}
	call.Report("asks to run again outside the closed sandbox, which refused " + done.Refused)
	answer, err := call.Ask(ctx, lifecycle.Question{
		Effect: string(agent.EffectShell), Subject: args.Command, Exact: true,
		View:    agent.EncodeView(agent.CommandView{Command: args.Command, ExitCode: done.ExitCode, Output: done.Output.End(closedTail)}),
		Because: "it ran without a question in the closed sandbox, which seems to have refused it " + done.Refused + ": a yes runs it again, as after any yes to a command",
	})
	switch {
	case err != nil:
		return false, tried
	case answer.Allow:
		return true, fmt.Sprintf("this was its second run: the first was in the closed sandbox, which refused %s; then it was allowed outside", done.Refused)
	case answer.By == lifecycle.DeciderNobody:
		return false, tried + ". To run outside it needs a person's yes, and nobody was there to be asked: the user may grant it later, and you will be told. Do not try to reach the same by another way"
	case answer.Reason != "":
		return false, tried + ". Asked whether it may run outside, the user said no, and wrote: " + answer.Reason
	}
	return false, tried + ". Asked whether it may run outside, the user said no: do not try to reach the same by another way"
}

// closedTail bounds what a question shows of the end of a command's output, in characters.
const closedTail = 600

// closedNote says for the model what the closed sandbox refused.
func closedNote(refused string) string {
	return "it ran in a closed sandbox (no network, no writing outside the folder), which seems to have refused it " + refused
}
