package export

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

// The name and the version of the JSON document. A new version is for changes
// that a reader of the old one would stumble over; a new field is none.
const (
	jsonFormat  = "pawl-session"
	jsonVersion = 1
)

// Schema is the JSON Schema (2020-12) of what JSON writes.
//
//go:embed schema.json
var Schema string

// JSON writes a root session, as it stood when record upto was the newest, as
// one document that Schema describes: the facts, every session with its
// transcript, every run, every record, and what it cost. Elements stand on lines
// of their own. An error leaves the document unfinished.
func JSON(ctx context.Context, w io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	fail := func(err error) error { return fmt.Errorf("export session %s as JSON: %w", root, err) }
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return fail(err)
	}
	doc := newDocument(w, b.Mask)
	doc.facts(b)
	doc.list("sessions")
	for _, s := range b.Sessions {
		if err := doc.session(ctx, b, s); err != nil {
			return fail(err)
		}
	}
	doc.endList()
	doc.list("runs")
	for _, short := range b.Runs {
		run, err := b.Whole(ctx, short.ID)
		if err != nil {
			return fail(err)
		}
		doc.element(run)
	}
	doc.endList()
	doc.list("records")
	if err := doc.records(ctx, b); err != nil {
		return fail(err)
	}
	doc.endList()
	doc.member("totals", b.Totals())
	doc.text("\n}\n")
	if err := doc.flush(); err != nil {
		return fail(err)
	}
	return nil
}

// document is a JSON document on its way out. It keeps its first error; flush
// gives it.
type document struct {
	w     *bufio.Writer
	hide  mask.Mask
	err   error
	begun bool // the open list or object has an element
	line  []byte
}

// newDocument begins a document in which no string holds a secret.
func newDocument(w io.Writer, hide mask.Mask) *document {
	return &document{w: bufio.NewWriterSize(w, 64<<10), hide: hide}
}

// text writes what is no value.
func (d *document) text(s string) { _, _ = d.w.WriteString(s) } // flush has the error

// value writes one value, masked.
func (d *document) value(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		d.err = errors.Join(d.err, err)
		return
	}
	d.line = d.hide.JSON(d.line[:0], raw)
	_, _ = d.w.Write(d.line)
}

// next begins an element of the open list or object, on a line of its own.
func (d *document) next() {
	if d.begun {
		d.text(",")
	}
	d.begun = true
	d.text("\n")
}

// member writes a member of the open object.
func (d *document) member(name string, v any) {
	d.next()
	d.text(fmt.Sprintf("%q:", name))
	d.value(v)
}

// element writes an element of the open list.
func (d *document) element(v any) {
	d.next()
	d.value(v)
}

// list opens a list that is a member of the open object.
func (d *document) list(name string) {
	d.next()
	d.text(fmt.Sprintf("%q:[", name))
	d.begun = false
}

// endList closes it.
func (d *document) endList() {
	if d.begun {
		d.text("\n")
	}
	d.text("]")
	d.begun = true
}

// flush hands on what was written, and gives the first error.
func (d *document) flush() error { return errors.Join(d.err, d.w.Flush()) }

func (d *document) facts(b *book.Book) {
	d.text("{")
	d.member("format", jsonFormat)
	d.member("version", jsonVersion)
	d.member("pawl", b.Source.Version)
	if b.Source.Bare {
		d.member("content", false)
	}
	d.member("seq", b.Upto)
	d.member("session", b.Facts())
	d.member("openings", b.Openings())
}

// sessionFacts is what stands before a transcript.
type sessionFacts struct {
	Session     lifecycle.SessionID `json:"session"`
	Parent      lifecycle.SessionID `json:"parent,omitempty"`
	Type        string              `json:"type,omitempty"`
	Description string              `json:"description,omitempty"`
	Runs        []lifecycle.RunID   `json:"runs"`
}

func (d *document) session(ctx context.Context, b *book.Book, s book.Conversation) error {
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
	d.text(`,"transcript":[`)
	d.begun = false
	for m, err := range b.Messages(ctx, s.ID) {
		if err != nil {
			return err
		}
		if err := b.Mark(ctx, s.ID, m); err != nil {
			return err
		}
		d.element(m)
		for i := range m.Parts {
			m.Parts[i].Metadata = nil // runs are long, and a page of messages stays until its end
		}
	}
	d.endList()
	d.text("}")
	return d.flush()
}

func (d *document) records(ctx context.Context, b *book.Book) error {
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
