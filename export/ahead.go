package export

import (
	"context"

	"pawl/lifecycle"
)

// pages reads a log page by page, the next one while this one is worked on: reading and
// writing have a processor each. Between next and close nobody else reads the source.
type pages struct {
	src     Source
	root    lifecycle.SessionID
	ctx     context.Context //nolint:containedctx // lives as long as one call
	cancel  context.CancelFunc
	ahead   chan readPage
	reading bool
}

type readPage struct {
	records []lifecycle.Record
	err     error
}

func newPages(ctx context.Context, src Source, root lifecycle.SessionID) *pages {
	ctx, cancel := context.WithCancel(ctx)
	return &pages{src: src, root: root, ctx: ctx, cancel: cancel, ahead: make(chan readPage, 1)}
}

// next gives the page of records after a number, which is where the page before it ended.
func (p *pages) next(after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	if !p.reading {
		p.read(after, limit)
	}
	got := <-p.ahead
	p.reading = false
	if n := len(got.records); got.err == nil && n == limit && p.ctx.Err() == nil {
		p.read(got.records[n-1].Seq, limit)
	}
	return got.records, got.err
}

func (p *pages) read(after lifecycle.Seq, limit int) {
	p.reading = true
	go func() {
		records, err := p.src.Records(p.ctx, p.root, after, limit)
		p.ahead <- readPage{records, err}
	}()
}

// close ends what is read in vain, and returns when it has ended.
func (p *pages) close() {
	p.cancel()
	if p.reading {
		<-p.ahead
	}
}
