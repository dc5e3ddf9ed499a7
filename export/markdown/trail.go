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
func (p *writer) trail(ctx context.Context) error {
	p.printf("## Lifecycle trail\n\n```text\n")
	width := len(fmt.Sprint(p.Upto))
	pieces := book.NewPieces(p.Mask)
	written := 0
	err := p.Source.Each(ctx, p.Root, p.Upto, func(rec lifecycle.Record) error {
		detail := words.CutLine(p.Readable(p.Detail(pieces.Mask(rec).Event)), book.LongLine)
		line := fmt.Sprintf("%*d  %s  %-6s  %-22s  %s", width, rec.Seq, book.Stamp(rec.Time),
			words.CutLine(p.Readable(p.Name(rec.Run)), book.LongLine), lifecycle.Name(rec.Event), detail)
		p.printf("%s\n", strings.ReplaceAll(strings.TrimRight(line, " "), "```", "'''"))
		if written++; written%book.PageSize == 0 {
			return p.w.Flush()
		}
		return nil
	})
	p.printf("```\n")
	return err
}
