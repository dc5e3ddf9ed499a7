package jsondoc

import (
	"fmt"

	"pawl/agent/mask"
	"pawl/export/book"
	"pawl/lifecycle"
)

// Line is one line of stream-json, without its newline: the record as the export
// has it, {seq, time, root, session, run, event, data}, with whatever has the
// shape of a secret masked. Lines does the same for a whole stream, and better:
// it knows the key variables, and a secret that begins in one record and ends in
// the next.
func Line(rec lifecycle.Record) ([]byte, error) { return NewLines(nil).Line(rec) }

// Lines writes the records of one root session, in order, as they happen. It is
// used by one goroutine.
type Lines struct{ pieces *book.Pieces }

// NewLines begins a stream that also hides these values.
func NewLines(secrets []string) *Lines { return &Lines{book.NewPieces(mask.New(secrets))} }

// Line is the next line, without its newline. A stream that began with the first
// record has the same bytes as the records of an export.
func (l *Lines) Line(rec lifecycle.Record) ([]byte, error) { return l.append(nil, rec) }

func (l *Lines) append(line []byte, rec lifecycle.Record) ([]byte, error) {
	raw, err := l.pieces.Mask(rec).MarshalJSON()
	if err != nil {
		return line, fmt.Errorf("write record %d: %w", rec.Seq, err)
	}
	return l.pieces.Secrets.JSON(line, raw), nil
}
