package book

import (
	"context"

	"pawl/lifecycle"
)

// pages reads a log up to a record, page by page, the next one while this one is worked
// on: reading and writing have a processor each. From next to close nobody else reads the
// source.
type pages struct {
	src     Source
	root    lifecycle.SessionID
	upto    lifecycle.Seq
	ctx     context.Context //nolint:containedctx // lives as long as one call
	cancel  context.CancelFunc
	ahead   chan readPage
	reading bool
}

type readPage struct {
	records []lifecycle.Record
	err     error
}

func newPages(ctx context.Context, src Source, root lifecycle.SessionID, upto lifecycle.Seq) *pages {
	ctx, cancel := context.WithCancel(ctx)
	return &pages{src: src, root: root, upto: upto, ctx: ctx, cancel: cancel, ahead: make(chan readPage, 1)}
}

// next gives the records after a number, which is where the page before it ended; none
// where the log ends.
func (p *pages) next(after lifecycle.Seq) ([]lifecycle.Record, error) {
	if !p.reading {
		p.read(after)
	}
	got := <-p.ahead
	p.reading = false
	if n := len(got.records); got.err == nil && n > 0 && got.records[n-1].Seq < p.upto && p.ctx.Err() == nil {
		p.read(got.records[n-1].Seq)
	}
	return got.records, got.err
}

func (p *pages) read(after lifecycle.Seq) {
	p.reading = true
	go func() {
		records, err := p.src.Records(p.ctx, p.root, after, int(min(PageSize, p.upto-after)))
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
