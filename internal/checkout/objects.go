package checkout

import (
	"context"
	"io"
)

// Objects is a store of contents that both machines reach. Its methods may be called from any
// goroutine; names consist of letters, digits and "/-.".
type Objects interface {
	// Put stores all of a content under a name, or nothing. What had the name is replaced.
	Put(ctx context.Context, name string, content io.Reader) error
	// Get gives a content. That it is whole is known once it has been read to io.EOF; any other error
	// of Read means that it is not. The error wraps fs.ErrNotExist where there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	Has(ctx context.Context, name string) (bool, error)
	// List gives the names that begin with prefix, in any order.
	List(ctx context.Context, prefix string) ([]string, error)
	// Delete is no error where there is none.
	Delete(ctx context.Context, name string) error
}
