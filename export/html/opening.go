package html

import (
	"strings"

	"pawl/internal/words"
)

// openings writes under which versions and settings the session was driven, folded.
func (w *writer) openings() {
	all := w.Openings()
	if len(all) == 0 {
		return
	}
	w.put("<section>\n<h2>Versions and settings</h2>\n<details>\n<summary>The session was opened %s</summary>\n", words.CountGrouped(len(all), "time"))
	for _, o := range all {
		w.put("<p class=\"note\">%s</p>\n<pre>%s</pre>\n", o.Facts(), strings.Join(o.SettingLines(), "\n"))
	}
	w.put("</details>\n</section>\n")
}
