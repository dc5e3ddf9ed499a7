package machines

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// objectReader reads an object chunk by chunk, as far ahead as a few of them.
type objectReader struct {
	ctx    context.Context
	cancel context.CancelFunc
	info   *jetstream.ObjectInfo
	what   string // the object, for errors
	chunks jetstream.MessagesContext
	rest   []byte // of the chunk that is being read
	read   uint32 // chunks
	digest hash.Hash
	err    error
	// patience is how long the next chunk may take: one that the server has removed never comes.
	patience time.Duration
}

// chunksAhead bounds what is asked for before it is read.
const chunksAhead = 32

func (o *Objects) reader(ctx context.Context, info *jetstream.ObjectInfo) (io.ReadCloser, error) {
	r := &objectReader{info: info, what: info.Name + " in the bucket " + o.bucket, digest: sha256.New(), patience: 6 * o.link.o.Times.Lease}
	r.ctx, r.cancel = context.WithCancel(ctx)
	if info.Chunks == 0 {
		return r, nil
	}
	var consumer jetstream.Consumer
	err := o.persist(r.ctx, func(ctx context.Context) (err error) {
		consumer, err = o.link.js.OrderedConsumer(ctx, "OBJ_"+o.bucket, jetstream.OrderedConsumerConfig{
			FilterSubjects: []string{chunksOf(o.bucket, info.NUID)}, InactiveThreshold: o.link.o.Times.Lease,
		})
		return err
	})
	if err == nil {
		r.chunks, err = consumer.Messages(jetstream.PullMaxMessages(chunksAhead))
	}
	if err != nil {
		r.cancel()
		return nil, o.failed("read", info.Name, err)
	}
	return r, nil
}

// Read reads the next bytes. It returns when ctx ends.
func (r *objectReader) Read(into []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		r.rest, r.err = r.next()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *objectReader) next() ([]byte, error) {
	if r.read == r.info.Chunks {
		return nil, r.whole()
	}
	ctx, cancel := context.WithTimeout(r.ctx, r.patience)
	defer cancel()
	m, err := r.chunks.Next(jetstream.NextContext(ctx))
	switch {
	case r.ctx.Err() != nil:
		return nil, context.Cause(r.ctx)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", r.what, err)
	}
	r.read++
	r.digest.Write(m.Data())
	return m.Data(), nil
}

// whole is io.EOF if what was read is what was stored.
func (r *objectReader) whole() error {
	want, err := jetstream.DecodeObjectDigest(r.info.Digest)
	if err != nil || !bytes.Equal(want, r.digest.Sum(nil)) {
		return fmt.Errorf("read %s: %w", r.what, errors.New("it is damaged: its digest is another"))
	}
	return io.EOF
}

// Close ends reading, also before the end. It is not called while Read runs.
func (r *objectReader) Close() error {
	r.cancel()
	if r.chunks != nil {
		r.chunks.Stop()
	}
	return nil
}
