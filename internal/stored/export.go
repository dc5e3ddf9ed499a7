package stored

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"pawl/export"
	"pawl/export/book"
	"pawl/export/formats"
	"pawl/internal/failpoint"
	"pawl/lifecycle"
)

// Export writes one export to a file, atomically.
func Export(ctx context.Context, path string, force bool, as formats.Options, source book.Source, upto lifecycle.Seq) error {
	return export.ToFile(ctx, path, force, func(to io.Writer) error {
		if failpoint.On {
			failpoint.Reach("export")
		}
		return export.Write(ctx, to, as, source, source.Session.ID, upto)
	})
}

// Elsewhere adds to the error of a file that could not be written which option puts it
// elsewhere, if that may help.
func Elsewhere(err error, with string) error {
	for _, cannot := range []error{fs.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, cannot) {
			return fmt.Errorf("%w; %s puts it elsewhere", err, with)
		}
	}
	return err
}
