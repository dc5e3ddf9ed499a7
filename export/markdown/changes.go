package markdown

import (
	"context"
	"fmt"

	"pawl/export/book"
	"pawl/export/changes"
)

// diffRoom is how much of differences a text has, in bytes: it is for reading.
const diffRoom = 1 << 20

// changed writes what the session changed in files: a list by prompt and run, then each file's
// difference.
func (w *writer) changed(ctx context.Context) error {
	r, err := changes.Open(ctx, w.Book, changes.Filter{})
	if err != nil || r.Empty() {
		return err
	}
	w.printf("## Changes\n\nIn %s, unless another folder is named.\n\n", w.code(r.Folder, book.LongLine))
	for _, open := range r.Unknown {
		w.printf("- %s\n", w.code(r.UnknownWords(open), book.LongLine))
	}
	for _, p := range r.Prompts {
		w.printf("- %s\n", w.code(r.PromptWords(p), book.BriefLine))
		for _, act := range p.Acts {
			w.printf("  - %s\n", w.code(r.ActWords(act), book.BriefLine))
			from := changes.Renamed(act.Files)
			for _, n := range act.Files {
				d, err := r.Read(ctx, n)
				if err != nil {
					return err
				}
				w.printf("    - %s %s: %s\n", d.Kind, w.code(changes.NameOf(n, from, r.Folder), book.LongLine), w.lines(d))
			}
		}
	}
	w.printf("\n")
	return w.differences(ctx, r)
}

func (w *writer) lines(d changes.Difference) string {
	if d.Gone != "" {
		return w.code(d.Gone, book.LongLine)
	}
	return fmt.Sprintf("+%d −%d, %s", d.Added, d.Lost, d.By())
}

func (w *writer) differences(ctx context.Context, r *changes.Report) error {
	room, from := diffRoom, changes.Renamed(r.Net)
	for i, n := range r.Net {
		d, err := r.Read(ctx, n)
		if err != nil {
			return err
		}
		if room -= len(d.Diff); room < 0 {
			w.printf("%d more differences are left out here; pawl changes prints them.\n\n", len(r.Net)-i)
			return nil
		}
		w.printf("**%s**, %s by %s\n\n", w.code(changes.NameOf(n, from, r.Folder), book.LongLine), d.Kind, w.code(r.Writers(d), book.LongLine))
		if d.Diff == "" {
			w.printf("%s\n\n", w.code(d.Remark(), book.LongLine))
			continue
		}
		w.printf("%s\n", fence("diff", w.Readable(d.Diff)))
		if err := w.buf.Flush(); err != nil {
			return err
		}
	}
	return nil
}
