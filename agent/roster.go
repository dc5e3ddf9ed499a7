package agent

import (
	"fmt"
	"strings"
	"time"

	"pawl/lifecycle"
)

// roster states every subagent run that a parent's model has to know of after its
// conversation was replaced: those that have not ended, and those whose result it
// has not read. It is empty where nothing can be delegated.
func (t *turn) roster() string {
	scope := t.port.Scope()
	if scope == nil || t.run.Subagent() {
		return ""
	}
	var lines []string
	now := time.Now()
	for _, run := range scope.Runs() {
		switch {
		case !run.State.Terminal():
			lines = append(lines, fmt.Sprintf("- %s. Now: %s. Do not launch it again; you will be told when it ends.",
				identified(run, now), brief(scope.Activity(run))))
		case run.Consumed == nil:
			lines = append(lines, fmt.Sprintf("- %s. You have not read its result: you will be told of it, or read it with agent_output.",
				identified(run, now)))
		}
	}
	if lines == nil {
		return "None is queued or running, and you have read the result of every one that ended."
	}
	return strings.Join(lines, "\n")
}

// identified names a run with its state and times.
func identified(run lifecycle.Run, now time.Time) string {
	since := "since"
	if run.State.Terminal() {
		since = "started"
	}
	return fmt.Sprintf("%s: agent_id %s, run_id %s, type %s, %q, %s %s (%s)", run.State, run.Session, run.ID, run.Type,
		brief(run.Description), since, run.SpawnedAt.UTC().Format(time.RFC3339), run.Elapsed(now).Round(time.Second))
}
