package agent

import (
	"fmt"
	"strings"
	"time"

	"pawl/lifecycle"
)

// OpenRunsReporter is a Port whose runs are known to another process, which reports them.
type OpenRunsReporter interface{ OpenRuns() string }

func (t *activeRun) openRuns() string {
	if reporter, ok := t.port.(OpenRunsReporter); ok {
		return reporter.OpenRuns()
	}
	return OpenRuns(t.port.Scope(), t.run)
}

// OpenRuns lists the runs that a model must know of after its conversation was replaced:
// subagents and shells that have not ended, or whose end it has not been told. It is empty
// if the run cannot have any.
func OpenRuns(scope *lifecycle.Scope, of lifecycle.Run) string {
	if scope == nil {
		return ""
	}
	var lines []string
	now := time.Now()
	for _, run := range scope.Runs() {
		switch {
		case !run.State.Terminal():
			lines = append(lines, fmt.Sprintf("- %s. Now: %s. Do not start it again; you will be told when it ends.",
				describeRun(run, now), brief(scope.Activity(run))))
		case run.Untold():
			lines = append(lines, fmt.Sprintf("- %s. You have not read its result: you will be told of it, or read it with %s.",
				describeRun(run, now), outputTool(run)))
		}
	}
	if lines == nil && !of.Subagent() {
		return "None is queued or running, and you have read the result of every one that ended."
	}
	return strings.Join(lines, "\n")
}

// outputTool is the tool that returns a run's result.
func outputTool(run lifecycle.Run) string {
	if run.Shell() {
		return "shell_output"
	}
	return "agent_output"
}

// describeRun names a run with its state and times.
func describeRun(run lifecycle.Run, now time.Time) string {
	since := "since"
	if run.State.Terminal() {
		since = "started"
	}
	times := fmt.Sprintf("%s %s (%s)", since, run.SpawnedAt.UTC().Format(time.RFC3339), run.Elapsed(now).Round(time.Second))
	if run.Shell() {
		return fmt.Sprintf("%s: shell_id %s, %q, %s", run.State, run.Session, brief(run.Command), times)
	}
	return fmt.Sprintf("%s: agent_id %s, run_id %s, type %s, %q, %s", run.State, run.Session, run.ID, run.Type, brief(run.Description), times)
}
