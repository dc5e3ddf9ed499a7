package export

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// summary is the table of who did what and how it ended, and what it cost.
func (p *paper) summary() {
	p.printf("## Who did what\n\n")
	p.printf("| Run | Type | What | Ran | State | Cause | Elapsed | Tokens | Cost | Tool calls | Notification |\n")
	p.printf("| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | --- | --- |\n")
	for _, run := range p.runs {
		kind, what := "main agent", run.Prompt
		switch {
		case run.Child():
			kind, what = p.cell(run.Type, longCell), run.Description
		case what == "":
			what = "by " + string(run.Trigger)
		}
		p.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			p.name(run.ID), kind, p.cell(what, longCell), manner(run), p.cell(string(run.State), longCell), p.cause(run),
			p.elapsed(run), allTokens(run.Usage), dollars(run.Usage.Cost), toolCalls(run), p.receipt(run))
	}
	sum := p.totals()
	p.printf("\n- Main agent: %s\n- Subagents: %s\n- All: %s\n\n", spent(sum.Parent), spent(sum.Children), spent(sum.All))
}

// cause says why a run ended as it did.
func (p *paper) cause(run lifecycle.Run) string {
	var why []string
	if run.Cause != "" {
		why = append(why, string(run.Cause))
	}
	if run.Reason != "" {
		why = append(why, run.Reason)
	}
	if run.Error != nil {
		why = append(why, run.Error.Line())
	}
	return p.cell(strings.Join(why, ": "), longCell)
}

// receipt says what became of the word that the parent was owed.
func (p *paper) receipt(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "pending since " + stamp(n.QueuedAt)
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("delivered in %s, step %d, %s", p.cellName(n.InRun), n.Step, stamp(n.DeliveredAt))
	case n != nil:
		return fmt.Sprintf("withdrawn by %s, %s", p.cell(string(n.WithdrawnBy), longCell), stamp(n.WithdrawnAt))
	case run.Consumed != nil:
		return fmt.Sprintf("not needed: read by %s in %s", p.cell(string(run.Consumed.By), longCell), p.cellName(run.Consumed.InRun))
	}
	return "–"
}

// cellName is the name of a run in a table. One that the log does not know is
// called by its id, and an id is data.
func (p *paper) cellName(id lifecycle.RunID) string {
	if name, ok := p.names[id]; ok {
		return name
	}
	return p.cell(string(id), longCell)
}

func spent(u lifecycle.Usage) string {
	return fmt.Sprintf("%s, %s steps, %s tool calls", tokens(u), words.Grouped(int64(u.Steps)), words.Grouped(int64(u.ToolCalls)))
}
