package markdown

import (
	"context"
	"fmt"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// trail writes the log, a line each record. Every line of the block begins with
// a number, so none of them can end it.
func (w *writer) trail(ctx context.Context) error {
	w.printf("## Lifecycle trail\n\n```text\n")
	width := len(fmt.Sprint(w.Upto))
	pieces := book.NewPieces(w.Mask)
	written := 0
	err := w.Source.Each(ctx, w.Root, w.Upto, func(rec lifecycle.Record) error {
		detail := words.CutLine(w.Readable(w.Detail(pieces.Mask(rec).Event)), book.LongLine)
		line := fmt.Sprintf("%*d  %s  %-6s  %-22s  %s", width, rec.Seq, book.Stamp(rec.Time),
			words.CutLine(w.Readable(w.Name(rec.Run)), book.LongLine), lifecycle.Name(rec.Event), detail)
		w.printf("%s\n", strings.ReplaceAll(strings.TrimRight(line, " "), "```", "'''"))
		if written++; written%book.PageSize == 0 {
			return w.buf.Flush()
		}
		return nil
	})
	w.printf("```\n")
	return err
}
