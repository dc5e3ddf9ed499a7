package book

import (
	"context"

	"pawl/lifecycle"
)

// pages reads a log up to a record, page by page, and reads the next page while the current one
// is processed. From next to close nobody else may use the source.
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

// next returns the records after the last one of the previous page; none at the end of the log.
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

// close cancels the page being read and waits for it.
func (p *pages) close() {
	p.cancel()
	if p.reading {
		<-p.ahead
	}
}
