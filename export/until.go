package export

import (
	"context"
	"io"
)

// until is a writer that fails when ctx has ended.
type until struct {
	ctx context.Context
	w   io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.w.Write(b)
}
