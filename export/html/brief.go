package html

import (
	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// outline is what a page in brief has behind its table and its picture: what was denied
// or warned of, and the last answer.
func (s *writer) outline(d *book.Digest) {
	if len(d.Trouble) > 0 {
		s.put("<section>\n<h2>What was denied or warned of</h2>\n<ul>\n")
		for _, t := range d.Trouble {
			s.put("<li>%s, %s: <code>%s</code>%s</li>\n", s.runLink(t.Run), t.Kind, words.CutLine(t.About, book.LongLine), t.Again())
		}
		if more := d.Troubles - len(d.Trouble); more > 0 {
			s.put("<li>and %s more</li>\n", more)
		}
		s.put("</ul>\n</section>\n")
	}
	if d.Answer == "" {
		return
	}
	cut, gone := s.Beginning(d.Answer)
	s.put("<section>\n<h2>The last answer</h2>\n")
	if d.AnsweredBy.State != lifecycle.StateCompleted {
		s.put("<p class=\"note\">From %s %s</p>\n", s.runLink(d.AnsweredBy.ID), s.chip(d.AnsweredBy.State))
	}
	s.put("%s", s.prose(cut))
	if gone {
		s.put("<p class=\"note\">and more</p>\n")
	}
	s.put("</section>\n")
}
