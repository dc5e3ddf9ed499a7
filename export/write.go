package export

import (
	"context"
	"fmt"
	"io"

	"pawl/export/book"
	"pawl/export/html"
	"pawl/export/jsondoc"
	"pawl/export/markdown"
	"pawl/export/redact"
	"pawl/export/trace"
	"pawl/lifecycle"
)

// Write writes a root session as it stood when record upto was the newest. The
// error of a manner in which nothing can be written is Check's.
func Write(ctx context.Context, w io.Writer, as Manner, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	if err := as.Check(); err != nil {
		return err
	}
	if as.NoContent {
		var err error
		if src, root, err = redact.Source(ctx, src, root, upto); err != nil {
			return fmt.Errorf("export session %s as %s: %w", root, as.Format, err)
		}
	}
	switch as.Format {
	case FormatJSON:
		return jsondoc.Write(ctx, w, src, root, upto)
	case FormatMarkdown:
		return markdown.Write(ctx, w, src, root, upto, as.Brief)
	case FormatHTML:
		return html.Write(ctx, w, src, root, upto, as.Brief)
	case FormatTrace:
		return trace.Write(ctx, w, src, root, upto)
	}
	return as.Check()
}
