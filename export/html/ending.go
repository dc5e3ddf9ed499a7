package html

import (
	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// ending is what a run leaves beside its words: what it was refused, what it was
// warned of, and what ended it.
func (s *writer) ending(run lifecycle.Run) {
	const most = 50
	for i, d := range run.Denials[:min(most, len(run.Denials))] {
		if i == 0 {
			s.put("<p class=\"who\">Denied</p>\n")
		}
		s.put("<p class=\"ending\">%s <code>%s</code> %s</p>\n", words.CutLine(d.Tool, book.LongCell), words.CutLine(d.Subject, book.LongLine), words.CutLine(book.Joined("by "+d.By, d.Reason), book.LongLine))
	}
	for i, w := range run.Warnings[:min(most, len(run.Warnings))] {
		if i == 0 {
			s.put("<p class=\"who\">Warned</p>\n")
		}
		s.put("<p class=\"ending\">%s</p>\n", words.CutLine(book.Joined(string(w.Kind), w.Message), book.LongLine))
	}
	if more := max(0, len(run.Denials)-most) + max(0, len(run.Warnings)-most); more > 0 {
		s.put("<p class=\"note\">and %s in the log below</p>\n", words.Grouped(int64(more))+" more")
	}
	if run.Worktree != nil {
		s.put("<p class=\"ending\">%s</p>\n", words.CutLine(book.WorktreeLine(run.Worktree), book.LongLine))
	}
	if why := s.why(run); why != "" {
		s.put("<p class=\"ending\">%s %s</p>\n", s.chip(run.State), why)
	}
}
