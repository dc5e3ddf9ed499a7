package export

import (
	"context"
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// trail writes the log, a line each record. Every line of the block begins with
// a number, so none of them can end it.
func (p *paper) trail(ctx context.Context) error {
	p.printf("## Lifecycle trail\n\n```text\n")
	width := len(fmt.Sprint(p.upto))
	pieces := newPieces(p.hide)
	written := 0
	err := p.src.each(ctx, p.root, p.upto, func(rec lifecycle.Record) error {
		detail := words.CutLine(p.readable(p.detail(pieces.mask(rec).Event)), longLine)
		line := fmt.Sprintf("%*d  %s  %-6s  %-22s  %s", width, rec.Seq, stamp(rec.Time),
			words.CutLine(p.readable(p.name(rec.Run)), longLine), lifecycle.Name(rec.Event), detail)
		p.printf("%s\n", strings.ReplaceAll(strings.TrimRight(line, " "), "```", "'''"))
		if written++; written%page == 0 {
			return p.w.Flush()
		}
		return nil
	})
	p.printf("```\n")
	return err
}
