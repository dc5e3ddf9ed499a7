package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The buckets of the object store. What is put there is kept for a week.
const (
	Checkouts = "pawl_checkouts"
	Results   = "pawl_results"
)

const objectAge = 7 * 24 * time.Hour

// Objects is a bucket of the server's object store, as NATS's own tools know it. All methods may be
// called from any goroutine; an error names the bucket and what to do.
type Objects struct {
	link   *Link
	bucket string
	store  jetstream.ObjectStore
}

// Objects opens a bucket, and makes it if there is none.
func (l *Link) Objects(ctx context.Context, bucket string) (*Objects, error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	store, err := l.js.ObjectStore(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		store, err = l.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: bucket, Description: "Checkouts of Pawl's runs and what came of them", TTL: objectAge, Storage: jetstream.FileStorage,
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			store, err = l.js.ObjectStore(ctx, bucket)
		}
	}
	if err != nil {
		return nil, &lineError{fmt.Sprintf("open the bucket %s of the NATS server at %s: %s", bucket, l.Address(), short(err)), err}
	}
	return &Objects{l, bucket, store}, nil
}

// Has reports whether there is an object of this name.
func (o *Objects) Has(ctx context.Context, name string) (bool, error) {
	info, err := o.info(ctx, name)
	return info != nil, o.failed("look for", name, err)
}

// List returns the names that begin with prefix, sorted.
func (o *Objects) List(ctx context.Context, prefix string) ([]string, error) {
	var infos []*jetstream.ObjectInfo
	err := o.persist(ctx, func(ctx context.Context) (err error) {
		if infos, err = o.store.List(ctx); errors.Is(err, jetstream.ErrNoObjectsFound) {
			infos, err = nil, nil
		}
		return err
	})
	var names []string
	for _, info := range infos {
		if strings.HasPrefix(info.Name, prefix) {
			names = append(names, info.Name)
		}
	}
	slices.Sort(names)
	return names, o.failed("list", prefix, err)
}

// Delete removes an object. One that is not there is no error. It is tried once: what stays grows old.
func (o *Objects) Delete(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, o.link.o.Times.Ask)
	defer cancel()
	err := o.store.Delete(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return o.failed("delete", name, err)
}

// Get opens an object; os.ErrNotExist if there is none. The reader checks the content's digest:
// only io.EOF means that it was read whole. The context is that of reading, too.
func (o *Objects) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := o.info(ctx, name)
	switch {
	case err != nil:
		return nil, o.failed("read", name, err)
	case info == nil:
		return nil, fmt.Errorf("%s in the bucket %s: %w", name, o.bucket, os.ErrNotExist)
	}
	return o.reader(ctx, info)
}

// persist asks until it gets an answer: a server that is away is waited for, and a question that is
// lost with it is asked again. The library would wait for its answer as long as ctx lasts.
func (o *Objects) persist(ctx context.Context, ask func(context.Context) error) error {
	return o.link.Persist(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, o.link.o.Times.Ask)
		defer cancel()
		return ask(ctx)
	})
}

// info is what the store has under a name; nil: nothing.
func (o *Objects) info(ctx context.Context, name string) (info *jetstream.ObjectInfo, err error) {
	err = o.persist(ctx, func(ctx context.Context) error {
		if info, err = o.store.GetInfo(ctx, name); errors.Is(err, jetstream.ErrObjectNotFound) {
			info, err = nil, nil
		}
		return err
	})
	return info, err
}

func (o *Objects) failed(act, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case full(err):
		return fmt.Errorf("the bucket %s of the NATS server at %s is full (%s): raise its limit or delete old objects", o.bucket, o.link.Address(), short(err))
	}
	return fmt.Errorf("%s %s in the bucket %s of the NATS server at %s: %w", act, name, o.bucket, o.link.Address(), err)
}
