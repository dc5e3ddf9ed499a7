package html

import (
	"context"
	"strings"
)

// commands writes the shells: commands in the background and those of the user, which have no transcript.
func (w *writer) commands(ctx context.Context) error {
	if len(w.Shells) == 0 {
		return nil
	}
	w.put("<details class=\"session\">\n<summary><h3>Commands in the background</h3></summary>\n")
	for _, short := range w.Shells {
		run, err := w.Whole(ctx, short.ID)
		if err != nil {
			return err
		}
		t := newTranscript(w, run.Session)
		w.put("<div class=\"run\"%s>\n<h4>%s %s</h4>\n", t.placeOf(run.ID, anchor(w.Book, run.ID)), w.Name(run.ID), w.chip(run.State))
		if run.UserShell() {
			w.put("<p class=\"note\">Run by the user in %s</p>\n<pre class=\"input\">%s</pre>\n", w.NameOf(run.Parent), run.Command)
		} else {
			w.put("<p class=\"note\">%s, called by %s</p>\n<pre class=\"input\">%s</pre>\n", run.Description, w.runLink(run.ParentRun), run.Command)
		}
		if output := run.Output(); strings.TrimSpace(output) != "" {
			t.fold("result", "Output", output)
		}
		w.ending(run)
		t.missing(run.ID)
		w.put("</div>\n")
	}
	w.put("</details>\n")
	return w.buf.Flush()
}
