package html

import (
	"context"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// block is how many records stand in one block of the trail.
const block = 500

// trail writes the log, a line each record, in blocks: what is not on the screen costs
// a browser nothing.
func (w *writer) trail(ctx context.Context) error {
	w.put("<section>\n<h2 id=\"trail\">Lifecycle trail</h2>\n<details>\n<summary>Every record, %s</summary>\n<div class=\"trail\">", words.CountGrouped(int(w.Upto), "line"))
	written := 0
	pieces := book.NewPieces(w.Mask)
	err := w.Source.Each(ctx, w.Root, w.Upto, func(rec lifecycle.Record) error {
		if written%block == 0 {
			w.put("<pre tabindex=\"0\">")
		}
		w.put("%s\n", w.LogLine(pieces.Mask(rec)))
		if written++; written%block == 0 {
			w.put("</pre>\n")
			return w.buf.Flush()
		}
		return nil
	})
	if written%block != 0 {
		w.put("</pre>\n")
	}
	w.put("</div>\n</details>\n</section>\n")
	return err
}
