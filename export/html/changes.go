package html

import (
	"context"
	"strings"

	"pawl/export/book"
	"pawl/export/changes"
	"pawl/internal/words"
	"pawl/lifecycle/files"
)

// changed writes what the session changed in files: what came of each prompt, by run, landing and
// rewind, and what became of each file in all. Every difference is folded.
func (w *writer) changed(ctx context.Context) error {
	r, err := changes.Open(ctx, w.Book, changes.Filter{})
	if err != nil || r.Empty() {
		return err
	}
	c := &changeWriter{writer: w, report: r, room: diffRoom}
	w.put("<section aria-label=\"Changes\">\n<h2 id=\"changes\">Changes</h2>\n<p class=\"note\">In %s, unless another folder is named</p>\n", r.Folder)
	for _, open := range r.Unknown {
		w.put("<p class=\"note\">%s</p>\n", r.UnknownWords(open))
	}
	for _, p := range r.Prompts {
		w.put("<details class=\"session\">\n<summary><h3>%s</h3></summary>\n", r.PromptWords(p))
		for _, act := range p.Acts {
			w.put("<div class=\"run\">\n<h4>%s</h4>\n", words.CutLine(r.ActWords(act), book.LongLine))
			if err := c.files(ctx, act.Files); err != nil {
				return err
			}
			w.put("</div>\n")
		}
		w.put("</details>\n")
	}
	w.put("<details class=\"session\">\n<summary><h3>All of it, by file</h3></summary>\n<div class=\"run\">\n")
	if err := c.files(ctx, r.Net); err != nil {
		return err
	}
	w.put("</div>\n</details>\n</section>\n")
	return w.buf.Flush()
}

// changeWriter writes differences as long as the page has room for them.
type changeWriter struct {
	*writer
	report *changes.Report
	room   int // bytes
}

func (c *changeWriter) files(ctx context.Context, nets []files.Net) error {
	from := changes.Renamed(nets)
	for _, n := range nets {
		d, err := c.report.Read(ctx, n)
		if err != nil {
			return err
		}
		c.put("<details class=\"call\"><summary><b>%s</b> <code>%s</code> %s", string(d.Kind), changes.NameOf(n, from, c.report.Folder), c.counts(d))
		c.put("</summary>\n<p class=\"note\">%s</p>\n", book.Joined(c.report.Writers(d), d.By()))
		switch {
		case d.Gone != "" || d.Diff == "":
			c.put("<p class=\"note\">%s</p>\n", d.Remark())
		case len(d.Diff) > c.room:
			c.room = 0
			c.put("<p class=\"note\">Differences beyond the first 8 MB are left out here; pawl changes prints them</p>\n")
		default:
			c.room -= len(d.Diff)
			c.diff(n.Path, d.Diff)
		}
		c.put("</details>\n")
	}
	return c.buf.Flush()
}

func (c *changeWriter) counts(d changes.Difference) markup {
	if d.Gone != "" {
		return "<em>not shown</em>"
	}
	return c.markup("+%s −%s", d.Added, d.Lost)
}

// diff is a unified diff, its lines in their colours and the words in which they differ marked.
func (w *writer) diff(path, text string) {
	w.put("<figure class=\"diff\"><figcaption>%s</figcaption><pre tabindex=\"0\">", path)
	lines := strings.SplitAfter(w.Readable(text), "\n")
	marked := markWords(lines)
	for i, line := range lines {
		if line == "" {
			continue
		}
		w.put("<span class=\"%s\">%s</span>", lineClass(line), w.withMarks(line, marked[i]))
	}
	w.put("</pre></figure>\n")
}
