package jsondoc

import (
	"fmt"

	"pawl/agent/mask"
	"pawl/export/book"
	"pawl/lifecycle"
)

// Line is one line of stream-json, without its newline: the record as in the export, {seq, time,
// root, session, run, event, data}, with everything that looks like a secret masked. Lines is
// better for a whole stream: it knows the values of key variables, and secrets split over two
// records.
func Line(rec lifecycle.Record) ([]byte, error) { return NewLines(mask.Mask{}).Line(rec) }

// Lines encodes the records of one root session, in order, as they happen. It must be used by
// one goroutine.
type Lines struct{ pieces *book.Pieces }

// NewLines begins a stream that is masked so.
func NewLines(hide mask.Mask) *Lines { return &Lines{book.NewPieces(hide)} }

// Line is the next line, without its newline. If the stream began with the first record its
// bytes are those of the records in an export.
func (l *Lines) Line(rec lifecycle.Record) ([]byte, error) { return l.append(nil, rec) }

func (l *Lines) append(line []byte, rec lifecycle.Record) ([]byte, error) {
	raw, err := l.pieces.Mask(rec).MarshalJSON()
	if err != nil {
		return line, fmt.Errorf("write record %d: %w", rec.Seq, err)
	}
	return l.pieces.Secrets.JSON(line, raw), nil
}
