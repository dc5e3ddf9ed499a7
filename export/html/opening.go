package html

import (
	"strings"

	"pawl/internal/words"
)

// openings writes under which versions and settings the session was driven, folded.
func (s *writer) openings() {
	all := s.Openings()
	if len(all) == 0 {
		return
	}
	s.put("<section>\n<h2>Versions and settings</h2>\n<details>\n<summary>The session was opened %s</summary>\n", words.CountGrouped(len(all), "time"))
	for _, o := range all {
		s.put("<p class=\"note\">%s</p>\n<pre>%s</pre>\n", o.Facts(), strings.Join(o.SettingLines(), "\n"))
	}
	s.put("</details>\n</section>\n")
}
