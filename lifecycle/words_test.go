package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every ending has its words in every voice, and no two voices disagree on what happened.
func TestEveryStatusHasItsWordsInEveryVoice(t *testing.T) {
	failure := &Failure{Kind: FailProvider, Message: "the server is down."}
	exit := &Failure{Kind: FailProcess, Message: "exit code 3"}
	for _, c := range []struct {
		status                           Status
		model, card, brief, person, page string
	}{
		{Status{State: StateQueued}, "waits for a free slot", "queued", "queued", "waits for a slot", "queued"},
		{Status{State: StateRunning}, "is running", "running", "running", "is running", "running"},
		{
			Status{State: StateRunning, Cause: CauseKey, Reason: "enough."},
			"was asked to stop and is still ending: the user pressed a key to stop it (enough)", "running", "running", "is running", "running",
		},
		{Status{State: StateCompleted}, "completed", "completed", "done", "completed", "completed"},
		{
			Status{State: StateCompletedEmpty},
			"ended normally, but reported nothing, even after it was asked for its findings once more",
			"ended without an answer", "empty", "ended without an answer", "ended without an answer",
		},
		{Status{State: StateFailed}, "failed", "failed", "failed", "failed", "failed"},
		{
			Status{State: StateFailed, Error: failure},
			"failed (provider): the server is down",
			"failed", "failed", "failed: model server: the server is down.", "failed",
		},
		{
			Status{State: StateCanceledByUser, Cause: CauseKey},
			"was stopped: the user pressed a key to stop it",
			"stopped by you", "stopped", "was stopped by you", "stopped by the user, with a key",
		},
		{
			Status{State: StateCanceledByUser, Cause: CauseQuit},
			"was stopped: the user quit Pawl and chose to stop what still ran",
			"stopped when you quit", "stopped", "was stopped when you quit", "stopped by the user, who quit",
		},
		{
			Status{State: StateCanceledByUser, Cause: CauseDrainTimeout},
			"was stopped: the time limit for finishing background work ran out",
			"stopped by --drain-timeout", "stopped", "was stopped by --drain-timeout", "stopped by --drain-timeout",
		},
		{Status{State: StateCanceledByUser}, "was stopped: no cause was recorded", "stopped by you", "stopped", "was stopped by you", "stopped by the user"},
		{
			Status{State: StateCanceledByAgent, Cause: CauseAgentStop, Reason: "found it myself"},
			"was stopped by you with agent_stop: found it myself",
			"stopped by the main agent", "stopped", "was stopped by the main agent", "stopped by the main agent",
		},
		{
			Status{State: StateInterrupted, Cause: CauseProcessEnd},
			"was interrupted when Pawl's process ended",
			"interrupted when Pawl's process ended", "interrupted", "was interrupted when Pawl's process ended", "interrupted",
		},
		{
			Status{State: StateInterrupted, Cause: CauseWorkerLost, Reason: "no sign of oak for 10 s"},
			"was interrupted: the worker on another machine that ran it was lost (no sign of oak for 10 s)",
			"interrupted when its worker was lost", "interrupted", "was interrupted when its worker was lost", "interrupted when its worker was lost",
		},
		{Status{Kind: KindShell, State: StateCompleted}, "ended: exit code 0", "exit code 0", "done", "ended: exit code 0", "completed"},
		{Status{Kind: KindShell, State: StateFailed, Error: exit}, "ended: exit code 3", "exit code 3", "failed", "ended: exit code 3", "failed"},
		{
			Status{Kind: KindShell, State: StateCanceledByAgent, Cause: CauseAgentStop},
			"was stopped by you with shell_kill",
			"stopped by its agent", "stopped", "was stopped by its agent", "stopped by its agent",
		},
		{
			Status{Kind: KindShell, State: StateCanceledByAgent, Cause: CauseRunEnd},
			"was stopped: the run that it was started for has ended",
			"stopped when the run that started it ended", "stopped", "was stopped when the run that started it ended", "stopped when the run that started it ended",
		},
		{Status{State: "new"}, "is new", "new", "new", "new", "new"},
	} {
		said := []string{c.status.Words(ForModel), c.status.Words(ForCard), c.status.Words(ForBrief), c.status.Words(ForPerson), c.status.Words(ForPage)}
		require.Equal(t, []string{c.model, c.card, c.brief, c.person, c.page}, said, "%+v", c.status)
	}
}

func TestACauseOfANewerPawlIsNamed(t *testing.T) {
	require.Equal(t, "by new", Cause("new").Words(ForPage))
	require.Empty(t, Cause("").Words(ForPage))
	require.Equal(t, "no cause was recorded", Cause("").Words(ForModel))
}
