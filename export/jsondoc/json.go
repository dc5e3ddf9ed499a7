package jsondoc

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pawl/agent/mask"
	"pawl/export/book"
	"pawl/lifecycle"
)

// The name and the version of the JSON document. The version changes only if readers of the old
// one would fail; a new field does not change it.
const (
	Format  = "pawl-session"
	Version = 1
)

// Schema is the JSON Schema (2020-12) of what Write writes.
//
//go:embed schema.json
var Schema string

// Write writes a root session, as it stood when record upto was the newest, as one document
// described by Schema: the facts, every session with its transcript, every run, every record,
// and the cost. Each element is on a line of its own. An error leaves the document unfinished.
func Write(ctx context.Context, w io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return err
	}
	doc := NewWriter(w, b.Mask)
	doc.facts(b)
	doc.List("sessions")
	if err := doc.sessions(ctx, b); err != nil {
		return err
	}
	doc.EndList()
	doc.List("runs")
	for _, short := range b.Runs {
		run, err := b.Whole(ctx, short.ID)
		if err != nil {
			return err
		}
		doc.Element(run)
	}
	doc.EndList()
	doc.List("records")
	if err := doc.records(ctx, b); err != nil {
		return err
	}
	doc.EndList()
	doc.Member("totals", b.Totals())
	doc.Text("\n}\n")
	return doc.Flush()
}

// Writer writes a JSON document. It keeps its first error, which Flush returns.
type Writer struct {
	w     *bufio.Writer
	hide  mask.Mask
	err   error
	begun bool // the open list or object has an element
	line  []byte
}

// NewWriter returns a Writer that masks all strings.
func NewWriter(w io.Writer, hide mask.Mask) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), hide: hide}
}

// Text writes raw JSON syntax.
func (d *Writer) Text(s string) { _, _ = d.w.WriteString(s) } // Flush returns the error

func (d *Writer) value(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		d.err = errors.Join(d.err, err)
		return
	}
	d.line = d.hide.JSON(d.line[:0], raw)
	_, _ = d.w.Write(d.line)
}

// next begins an element of the open list or object, on a new line.
func (d *Writer) next() {
	if d.begun {
		d.Text(",")
	}
	d.begun = true
	d.Text("\n")
}

// Member writes a member of the open object.
func (d *Writer) Member(name string, v any) {
	d.next()
	d.Text(fmt.Sprintf("%q:", name))
	d.value(v)
}

// Element writes an element of the open list.
func (d *Writer) Element(v any) {
	d.next()
	d.value(v)
}

// List opens a list as a member of the open object.
func (d *Writer) List(name string) {
	d.next()
	d.Text(fmt.Sprintf("%q:[", name))
	d.begun = false
}

// EndList closes the list.
func (d *Writer) EndList() {
	if d.begun {
		d.Text("\n")
	}
	d.Text("]")
	d.begun = true
}

// Flush writes what is buffered and returns the first error.
func (d *Writer) Flush() error { return errors.Join(d.err, d.w.Flush()) }

func (d *Writer) facts(b *book.Book) {
	d.Text("{")
	d.Member("format", Format)
	d.Member("version", Version)
	d.Member("pawl", b.Source.Version)
	if b.Source.Bare {
		d.Member("content", false)
	}
	d.Member("seq", b.Upto)
	d.Member("session", b.Facts())
	d.Member("openings", b.Openings())
}

// sessionFacts precedes a transcript.
type sessionFacts struct {
	Session     lifecycle.SessionID `json:"session"`
	Parent      lifecycle.SessionID `json:"parent,omitempty"`
	Type        string              `json:"type,omitempty"`
	Description string              `json:"description,omitempty"`
	Runs        []lifecycle.RunID   `json:"runs"`
}

func (d *Writer) sessions(ctx context.Context, b *book.Book) error {
	writing := newBehind()
	for _, s := range b.Sessions {
		if err := d.session(ctx, b, s, writing); err != nil {
			_ = writing.wait() // its error is this one, or comes second
			return err
		}
	}
	return writing.wait()
}

func (d *Writer) session(ctx context.Context, b *book.Book, s book.Conversation, writing *behind) error {
	if err := writing.run(func() error { return d.openSession(s) }); err != nil {
		return err
	}
	for m, err := range b.Messages(ctx, s.ID) {
		if err != nil {
			return err
		}
		if err := b.Mark(ctx, s.ID, m); err != nil {
			return err
		}
		write := func() error {
			d.Element(m)
			for i := range m.Parts {
				m.Parts[i].Metadata = nil // runs are long, and the page of messages stays in memory
			}
			return nil
		}
		if err := writing.run(write); err != nil {
			return err
		}
	}
	return writing.run(func() error {
		d.EndList()
		d.Text("}")
		return d.Flush()
	})
}

// openSession writes a session up to its messages.
func (d *Writer) openSession(s book.Conversation) error {
	facts := sessionFacts{Session: s.ID, Parent: s.Parent, Runs: []lifecycle.RunID{}}
	for i, run := range s.Runs {
		if i == 0 {
			facts.Type, facts.Description = run.Type, run.Description
		}
		facts.Runs = append(facts.Runs, run.ID)
	}
	raw, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	d.next()
	d.line = d.hide.JSON(d.line[:0], raw)
	_, _ = d.w.Write(d.line[:len(d.line)-1]) // the object stays open
	d.Text(`,"transcript":[`)
	d.begun = false
	return nil
}

func (d *Writer) records(ctx context.Context, b *book.Book) error {
	lines := Lines{book.NewPieces(b.Mask)}
	return b.Source.Each(ctx, b.Root, b.Upto, func(rec lifecycle.Record) error {
		line, err := lines.append(d.line[:0], rec)
		if err != nil {
			return err
		}
		d.line = line
		d.next()
		_, err = d.w.Write(line)
		return err
	})
}
