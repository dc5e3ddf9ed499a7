package markdown

import (
	"fmt"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// summary is the table of who did what and how it ended, and what it cost.
func (p *writer) summary() {
	p.printf("## Who did what\n\n")
	p.printf("| Run | Type | What | Ran | State | Cause | Elapsed | Tokens | Cost | Tool calls | Notification |\n")
	p.printf("| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | --- | --- |\n")
	for _, run := range p.Runs {
		kind, what := "main agent", run.Prompt
		switch {
		case run.Child():
			kind, what = p.cell(run.Type, book.LongCell), run.Description
		case what == "":
			what = "by " + string(run.Trigger)
		}
		p.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			p.Name(run.ID), kind, p.cell(what, book.LongCell), book.Mode(run), p.cell(string(run.State), book.LongCell), p.cause(run),
			p.Elapsed(run), book.TokenSum(run.Usage), book.Dollars(run.Usage.Cost), book.ToolCalls(run), p.receipt(run))
	}
	sum := p.Totals()
	p.printf("\n- Main agent: %s\n- Subagents: %s\n- All: %s\n\n", spent(sum.Parent), spent(sum.Children), spent(sum.All))
}

// cause says why a run ended as it did.
func (p *writer) cause(run lifecycle.Run) string {
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
	return p.cell(strings.Join(why, ": "), book.LongCell)
}

// receipt says what became of the word that the parent was owed.
func (p *writer) receipt(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "pending since " + book.Stamp(n.QueuedAt)
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("delivered in %s, step %d, %s", p.cellName(n.InRun), n.Step, book.Stamp(n.DeliveredAt))
	case n != nil:
		return fmt.Sprintf("withdrawn by %s, %s", p.cell(string(n.WithdrawnBy), book.LongCell), book.Stamp(n.WithdrawnAt))
	case run.Consumed != nil:
		return fmt.Sprintf("not needed: read by %s in %s", p.cell(string(run.Consumed.By), book.LongCell), p.cellName(run.Consumed.InRun))
	}
	return "–"
}

// cellName is the name of a run in a table. One that the log does not know is
// called by its id, and an id is data.
func (p *writer) cellName(id lifecycle.RunID) string {
	if name, ok := p.Names[id]; ok {
		return name
	}
	return p.cell(string(id), book.LongCell)
}

func spent(u lifecycle.Usage) string {
	return fmt.Sprintf("%s, %s steps, %s tool calls", book.Tokens(u), words.Grouped(int64(u.Steps)), words.Grouped(int64(u.ToolCalls)))
}
