package export

import (
	"context"
	"fmt"
	"io"

	"pawl/export/book"
	"pawl/export/changes"
	"pawl/export/formats"
	"pawl/export/html"
	"pawl/export/jsondoc"
	"pawl/export/markdown"
	"pawl/export/redact"
	"pawl/export/trace"
	"pawl/lifecycle"
)

// Write writes a root session as it stood when record upto was the newest. The
// error of options with which nothing can be written is Check's.
func Write(ctx context.Context, w io.Writer, as formats.Options, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	if err := as.Check(); err != nil {
		return err
	}
	if err := write(ctx, w, as, src, root, upto); err != nil {
		return fmt.Errorf("export session %s as %s: %w", root, as.Format, err)
	}
	return nil
}

func write(ctx context.Context, w io.Writer, as formats.Options, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	if as.NoContent {
		var err error
		if src, root, err = redact.Source(ctx, src, root, upto); err != nil {
			return err
		}
	}
	switch as.Format {
	case formats.JSON:
		return jsondoc.Write(ctx, w, src, root, upto)
	case formats.Markdown:
		return markdown.Write(ctx, w, src, root, upto, as.Brief)
	case formats.HTML:
		return html.Write(ctx, w, src, root, upto, as.Brief)
	case formats.Trace:
		return trace.Write(ctx, w, src, root, upto)
	case formats.Patch:
		return changes.WritePatch(ctx, w, src, root, upto, changes.Filter{})
	}
	return as.Check()
}
