package export

import (
	"pawl/internal/words"
	"pawl/lifecycle"
)

// outline is what a page in brief has behind its table and its picture: what was denied
// or warned of, and the last answer.
func (s *sheet) outline(d *digest) {
	if len(d.trouble) > 0 {
		s.put("<section>\n<h2>What was denied or warned of</h2>\n<ul>\n")
		for _, t := range d.trouble {
			s.put("<li>%s, %s: <code>%s</code>%s</li>\n", s.runLink(t.in), t.what, words.CutLine(t.about, longLine), t.again())
		}
		if more := d.troubles - len(d.trouble); more > 0 {
			s.put("<li>and %s more</li>\n", more)
		}
		s.put("</ul>\n</section>\n")
	}
	if d.answer == "" {
		return
	}
	cut, gone := s.beginning(d.answer)
	s.put("<section>\n<h2>The last answer</h2>\n")
	if d.of.State != lifecycle.StateCompleted {
		s.put("<p class=\"note\">From %s %s</p>\n", s.runLink(d.of.ID), s.chip(d.of.State))
	}
	s.put("%s", s.prose(cut))
	if gone {
		s.put("<p class=\"note\">and more</p>\n")
	}
	s.put("</section>\n")
}
