package html

import (
	"context"
	"fmt"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// block is how many records stand in one block of the trail.
const block = 500

// trail writes the log, a line each record, in blocks: what is not on the screen costs
// a browser nothing.
func (s *writer) trail(ctx context.Context) error {
	s.put("<section>\n<h2 id=\"trail\">Lifecycle trail</h2>\n<details>\n<summary>Every record, %s</summary>\n<div class=\"trail\">", words.CountGrouped(int(s.Upto), "line"))
	width, written := len(fmt.Sprint(s.Upto)), 0
	pieces := book.NewPieces(s.Mask)
	err := s.Source.Each(ctx, s.Root, s.Upto, func(rec lifecycle.Record) error {
		if written%block == 0 {
			s.put("<pre>")
		}
		detail := words.CutLine(s.Readable(s.Detail(pieces.Mask(rec).Event)), book.LongLine)
		line := fmt.Sprintf("%*d  %s  %-6s  %-22s  %s", width, rec.Seq, book.Stamp(rec.Time), words.CutLine(s.Readable(s.Name(rec.Run)), book.LongCell), lifecycle.Name(rec.Event), detail)
		s.put("%s\n", strings.TrimRight(line, " "))
		if written++; written%block == 0 {
			s.put("</pre>\n")
			return s.w.Flush()
		}
		return nil
	})
	if written%block != 0 {
		s.put("</pre>\n")
	}
	s.put("</div>\n</details>\n</section>\n")
	return err
}
