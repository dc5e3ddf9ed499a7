package html

import (
	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// outline is what a page in brief has behind its table and its picture: what was denied
// or warned of, and the last answer.
func (w *writer) outline(d *book.Digest) {
	if len(d.Trouble) > 0 {
		w.put("<section>\n<h2>What was denied or warned of</h2>\n<ul>\n")
		for _, t := range d.Trouble {
			w.put("<li>%s, %s: <code>%s</code>%s</li>\n", w.runLink(t.Run), t.Kind, words.CutLine(t.About, book.LongLine), t.Again())
		}
		if more := d.Troubles - len(d.Trouble); more > 0 {
			w.put("<li>and %s more</li>\n", more)
		}
		w.put("</ul>\n</section>\n")
	}
	if d.Answer == "" {
		return
	}
	cut, gone := w.Beginning(d.Answer)
	w.put("<section>\n<h2>The last answer</h2>\n")
	if d.AnsweredBy.State != lifecycle.StateCompleted {
		w.put("<p class=\"note\">From %s %s</p>\n", w.runLink(d.AnsweredBy.ID), w.chip(d.AnsweredBy.State))
	}
	w.put("%s", w.prose(cut))
	if gone {
		w.put("<p class=\"note\">and more</p>\n")
	}
	w.put("</section>\n")
}
