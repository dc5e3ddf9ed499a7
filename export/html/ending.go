package html

import (
	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// ending is what a run leaves beside its words: what it was refused, what it was
// warned of, and what ended it.
func (w *writer) ending(run lifecycle.Run) {
	const most = 50
	for i, d := range run.Denials[:min(most, len(run.Denials))] {
		if i == 0 {
			w.put("<p class=\"who\">Denied</p>\n")
		}
		w.put("<p class=\"ending\">%s <code>%s</code> %s</p>\n", words.CutLine(d.Tool, book.LongCell), words.CutLine(d.Subject, book.LongLine), words.CutLine(book.Joined("by "+string(d.By), d.Reason), book.LongLine))
	}
	for i, warning := range run.Warnings[:min(most, len(run.Warnings))] {
		if i == 0 {
			w.put("<p class=\"who\">Warned</p>\n")
		}
		w.put("<p class=\"ending\">%s</p>\n", words.CutLine(book.Joined(string(warning.Kind), warning.Message), book.LongLine))
	}
	if more := max(0, len(run.Denials)-most) + max(0, len(run.Warnings)-most); more > 0 {
		w.put("<p class=\"note\">and %s in the log below</p>\n", words.Grouped(int64(more))+" more")
	}
	if run.Placed != nil {
		w.put("<p class=\"ending\">%s</p>\n", words.CutLine(book.PlaceLine(run.Placed), book.LongLine))
	}
	if run.Worktree != nil {
		w.put("<p class=\"ending\">%s</p>\n", words.CutLine(book.WorktreeLine(run.Worktree), book.LongLine))
	}
	if why := w.why(run); why != "" {
		w.put("<p class=\"ending\">%s %s</p>\n", w.chip(run.State), why)
	}
}
