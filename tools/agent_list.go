package tools

import (
	"context"
	"fmt"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

type agentListInput struct {
	Status string `json:"status"`
}

type agentRow struct {
	Agent       lifecycle.SessionID `json:"agent_id"`
	Run         lifecycle.RunID     `json:"run_id"`
	Description string              `json:"description"`
	Type        string              `json:"subagent_type"`
	Status      lifecycle.State     `json:"status"`
	Background  bool                `json:"background"`
	Activity    string              `json:"activity"`
	Elapsed     int64               `json:"elapsed_ms"`
	Consumed    bool                `json:"consumed"`
}

type agentListing struct {
	Slots  lifecycle.Slots `json:"slots"`
	Agents []agentRow      `json:"agents"`
	Shells []shellRow      `json:"shells"`
}

type shellRow struct {
	Shell    lifecycle.SessionID `json:"shell_id"`
	Command  string              `json:"command"`
	Status   lifecycle.State     `json:"status"`
	ExitCode *int                `json:"exit_code"` // null until it has ended
}

// AgentList lists the subagents of the calling session, each by its latest run, and
// its shells.
func AgentList() agent.Tool {
	in := newInput[agentListInput]("agent_list", `{"type": "object", "additionalProperties": false, "properties": {
		"status": {"type": "string", "enum": `+marshal(agentStatuses())+`, "description": "active (the default): queued, running, or ended and not yet read; all; or one state"}}}`)
	return agent.Tool{
		Spec:     in.spec(),
		ReadOnly: true,
		Label:    labelOf("status"),
		Run: in.run(func(_ context.Context, call agent.Invocation, args agentListInput) (agent.Result, error) {
			return listAgents(call.Scope, args.Status), nil
		}),
	}
}

func listAgents(scope *lifecycle.Scope, status string) agent.Result {
	listing := agentListing{Slots: scope.Slots(), Agents: []agentRow{}, Shells: []shellRow{}}
	view := agent.ListingView{Title: "agents"}
	for _, run := range latestRuns(scope) {
		if !listed(run, status) {
			continue
		}
		view.Items = append(view.Items, fmt.Sprintf("%s · %s", run.Description, run.State))
		if run.Shell() {
			listing.Shells = append(listing.Shells, shellRow{run.Session, run.Command, run.State, run.ExitCode})
			continue
		}
		row := agentRow{
			Agent: run.Session, Run: run.ID, Description: run.Description, Type: run.Type,
			Status: run.State, Background: run.Background, Activity: scope.Activity(run),
			Elapsed: run.Elapsed(time.Now()).Milliseconds(), Consumed: run.Consumed != nil,
		}
		listing.Agents = append(listing.Agents, row)
	}
	view.Total = len(view.Items)
	return agent.Result{Text: marshal(listing), View: view}
}

// agentStatuses are the values that the status argument takes.
func agentStatuses() []string {
	names := []string{"active", "all"}
	for _, state := range lifecycle.States() {
		names = append(names, string(state))
	}
	return names
}

func listed(run lifecycle.Run, status string) bool {
	switch status {
	case "", "active":
		return !run.State.Terminal() || run.Consumed == nil
	case "all":
		return true
	}
	return string(run.State) == status
}

// latestRuns is the newest run of each subagent, oldest subagent first.
func latestRuns(scope *lifecycle.Scope) []lifecycle.Run {
	var order []lifecycle.SessionID
	newest := map[lifecycle.SessionID]lifecycle.Run{}
	for _, run := range scope.Runs() {
		if _, seen := newest[run.Session]; !seen {
			order = append(order, run.Session)
		}
		newest[run.Session] = run
	}
	var runs []lifecycle.Run
	for _, session := range order {
		runs = append(runs, newest[session])
	}
	return runs
}
