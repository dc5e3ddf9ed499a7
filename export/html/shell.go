package html

import (
	"context"
	"strings"
)

// commands writes the shells: commands in the background, which have no transcript.
func (s *writer) commands(ctx context.Context) error {
	if len(s.Shells) == 0 {
		return nil
	}
	s.put("<details class=\"session\">\n<summary><h3>Commands in the background</h3></summary>\n")
	for _, short := range s.Shells {
		run, err := s.Whole(ctx, short.ID)
		if err != nil {
			return err
		}
		t := newTranscript(s, run.Session)
		s.put("<div class=\"run\"%s>\n<h4>%s %s</h4>\n", t.placeOf(run.ID, anchor(s.Book, run.ID)), s.Name(run.ID), s.chip(run.State))
		s.put("<p class=\"note\">%s, called by %s</p>\n<pre class=\"input\">%s</pre>\n", run.Description, s.runLink(run.ParentRun), run.Command)
		if output := run.Output(); strings.TrimSpace(output) != "" {
			t.fold("result", "Output", output)
		}
		s.ending(run)
		t.missing(run.ID)
		s.put("</div>\n")
	}
	s.put("</details>\n")
	return s.w.Flush()
}
