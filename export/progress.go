package export

import (
	"context"

	"pawl/export/book"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// Reporting returns a source that reports how far an export is: how many records of all that it
// reads. It may read each of them more than once; those of changes count as a reading of all.
func Reporting(src book.Source, as formats.Options, upto lifecycle.Seq, report func(done, total int64)) book.Source {
	total, done := passes(as)*int64(upto), int64(0)
	read := src.Records
	src.Records = func(ctx context.Context, root lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		records, err := read(ctx, root, after, limit)
		if limit > 1 { // a single one is looked up
			done = min(done+int64(len(records)), total)
			report(done, total)
		}
		return records, err
	}
	if changes := src.Changes; changes != nil {
		src.Changes = func(ctx context.Context, root lifecycle.SessionID) ([]lifecycle.Record, error) {
			records, err := changes(ctx, root)
			done = min(done+int64(upto), total)
			report(done, total)
			return records, err
		}
	}
	return src
}

// passes is how often an export reads the log: a page has a summary above what follows, what is
// for people tells of changes, and what is left out of an export without content is decided first.
func passes(as formats.Options) int64 {
	n := int64(1)
	if as.Format == formats.HTML {
		n++
	}
	if as.Format.ForPeople() && !as.Brief {
		n++
	}
	if as.NoContent {
		n++
	}
	return n
}
