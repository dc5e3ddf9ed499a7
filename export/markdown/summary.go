package markdown

import (
	"fmt"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// summary is the table of who did what and how it ended, and what it cost.
func (w *writer) summary() {
	w.printf("## Who did what\n\n")
	w.printf("| Run | Type | What | Ran | State | Cause | Elapsed | Tokens | Cost | Tool calls | Notification |\n")
	w.printf("| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | --- | --- |\n")
	for _, run := range w.Runs {
		kind, what := "main agent", run.Prompt
		switch {
		case run.Child():
			kind, what = w.cell(run.Type, book.LongCell), run.Description
		case what == "":
			what = "by " + string(run.Trigger)
		}
		w.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			w.Name(run.ID), kind, w.cell(what, book.LongCell), book.Mode(run), w.cell(string(run.State), book.LongCell), w.cause(run),
			w.Elapsed(run), book.TokenSum(run.Usage), book.Dollars(run.Usage.Cost), book.ToolCalls(run), w.receipt(run))
	}
	sum := w.Totals()
	w.printf("\n- Main agent: %s\n- Subagents: %s\n- All: %s\n\n", spent(sum.Parent), spent(sum.Children), spent(sum.All))
}

func (w *writer) cause(run lifecycle.Run) string {
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
	return w.cell(strings.Join(why, ": "), book.LongCell)
}

// receipt says what became of the word that the parent was owed.
func (w *writer) receipt(run lifecycle.Run) string {
	n := run.Notification
	switch {
	case n.Pending():
		return "pending since " + book.Stamp(n.QueuedAt)
	case n != nil && !n.DeliveredAt.IsZero():
		return fmt.Sprintf("delivered in %s, step %d, %s", w.cellName(n.InRun), n.Step, book.Stamp(n.DeliveredAt))
	case n != nil:
		return fmt.Sprintf("withdrawn by %s, %s", w.cell(string(n.WithdrawnBy), book.LongCell), book.Stamp(n.WithdrawnAt))
	case run.Consumed != nil:
		return fmt.Sprintf("not needed: read by %s in %s", w.cell(string(run.Consumed.By), book.LongCell), w.cellName(run.Consumed.InRun))
	}
	return "–"
}

// cellName is the name of a run in a table. One that the log does not know is
// called by its id, and an id is data.
func (w *writer) cellName(id lifecycle.RunID) string {
	if name, ok := w.Names[id]; ok {
		return name
	}
	return w.cell(string(id), book.LongCell)
}

func spent(u lifecycle.Usage) string {
	return fmt.Sprintf("%s, %s steps, %s tool calls", book.Tokens(u), words.Grouped(int64(u.Steps)), words.Grouped(int64(u.ToolCalls)))
}
