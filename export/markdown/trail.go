package markdown

import (
	"context"
	"strings"

	"pawl/export/book"
	"pawl/lifecycle"
)

// trail writes the log, a line each record. Every line of the block begins with
// a number, so none of them can end it.
func (w *writer) trail(ctx context.Context) error {
	w.printf("## Lifecycle trail\n\n```text\n")
	pieces := book.NewPieces(w.Mask)
	written := 0
	err := w.Source.Each(ctx, w.Root, w.Upto, func(rec lifecycle.Record) error {
		w.printf("%s\n", strings.ReplaceAll(w.LogLine(pieces.Mask(rec)), "```", "'''"))
		if written++; written%book.PageSize == 0 {
			return w.buf.Flush()
		}
		return nil
	})
	w.printf("```\n")
	return err
}
