package book

import (
	"context"
	"io"
)

// Until returns a writer that fails with the cause of ctx once that has ended.
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
