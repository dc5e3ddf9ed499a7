package book

import (
	"context"
	"io"
)

// Until is a writer that fails when ctx has ended, with its cause.
func Until(ctx context.Context, w io.Writer) io.Writer { return until{ctx, w} }

type until struct {
	ctx context.Context //nolint:containedctx // lives as long as one copy
	w   io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.w.Write(b)
}
