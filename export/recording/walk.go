package recording

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxValue bounds one value of a document, in bytes: a message, a run, a record, and the
// white space before it. The longest that Pawl writes is a prompt of 10 MB, which JSON can
// make three times as long.
const maxValue = 64 << 20

// walk goes through a document, or a part of a list in it, value by value. It never holds
// more than one.
type walk struct {
	ctx  context.Context
	rec  *Recording
	dec  *json.Decoder
	from *boundedReader
	base int64  // where in the file the decoder's first byte stands
	what string // the place for errors: record 12
	raw  []byte
}

// boundedReader is a reader that gives no more than was allowed: the decoder reads to the end of
// a value, wherever that is.
type boundedReader struct {
	ctx   context.Context
	r     io.Reader
	given int64
	limit int64
}

func (r *boundedReader) Read(b []byte) (int, error) {
	switch {
	case r.ctx.Err() != nil:
		return 0, context.Cause(r.ctx)
	case r.given >= r.limit:
		return 0, errTooLong
	}
	n, err := r.r.Read(b[:min(int64(len(b)), r.limit-r.given)])
	r.given += int64(n)
	return n, err
}

// walkFrom begins at a place of the file.
func (r *Recording) walkFrom(ctx context.Context, at int64) *walk {
	section := io.NewSectionReader(r.file, at, r.size-at)
	from := &boundedReader{ctx: ctx, r: bufio.NewReaderSize(section, 64<<10)}
	return &walk{ctx: ctx, rec: r, dec: json.NewDecoder(from), from: from, base: at}
}

// walkList goes on with a list at one of its elements.
func (r *Recording) walkList(ctx context.Context, at int64, what string) (*walk, error) {
	section := io.NewSectionReader(r.file, at, r.size-at)
	from := &boundedReader{ctx: ctx, r: io.MultiReader(strings.NewReader("["), bufio.NewReaderSize(section, 32<<10))}
	w := &walk{ctx: ctx, rec: r, dec: json.NewDecoder(from), from: from, base: at - 1, what: what}
	return w, w.open('[')
}

// offset is the place in the file behind what was read last.
func (w *walk) offset() int64 { return w.base + w.dec.InputOffset() }

func (w *walk) token() (json.Token, error) {
	w.from.limit = w.dec.InputOffset() + w.rec.longest
	token, err := w.dec.Token()
	return token, w.fault(err)
}

func (w *walk) open(bracket json.Delim) error {
	token, err := w.token()
	if err != nil {
		return err
	}
	if token != bracket {
		return w.fault(fmt.Errorf("%q must begin here", bracket.String()))
	}
	return nil
}

func (w *walk) end() error {
	_, err := w.token() // what does not fit is the decoder's error
	return err
}

// more says whether the open list or object goes on. An error ends it too: the next call
// has it.
func (w *walk) more() bool {
	w.from.limit = w.dec.InputOffset() + w.rec.longest
	return w.dec.More()
}

// rawValue is what the decoder hands a value to, without a copy.
type rawValue struct{ w *walk }

func (t rawValue) UnmarshalJSON(b []byte) error {
	t.w.raw = b
	return nil
}

// value reads the next value. It stands until the next call.
func (w *walk) value() ([]byte, error) {
	w.raw = nil
	w.from.limit = w.dec.InputOffset() + w.rec.longest
	if err := w.dec.Decode(&rawValue{w}); err != nil {
		return nil, w.fault(err)
	}
	if !utf8.Valid(w.raw) {
		return nil, w.fault(errors.New("it has bytes that are not UTF-8: copy or export it again"))
	}
	return w.raw, nil
}

func (w *walk) into(v any) error {
	raw, err := w.value()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return w.fault(err)
	}
	return w.fault(exact(raw, v))
}

// maxDepth is how deep values may stand in one another that are passed over; encoding/json
// has the same bound for those that are read.
const maxDepth = 10_000

// skip passes over a value of any length.
func (w *walk) skip() error {
	for depth := 0; ; {
		token, err := w.token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		switch {
		case depth == 0:
			return nil
		case depth > maxDepth:
			return w.fault(fmt.Errorf("lists and objects are nested more than %d deep", maxDepth))
		}
	}
}

// members reads the rest of an open object whose members have readers of their own; other
// members are passed over. It gives the names it met.
func (w *walk) members(readers map[string]func(*walk) error) (map[string]bool, error) {
	place := w.what
	met := map[string]bool{}
	for w.more() {
		token, err := w.token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder takes nothing else there
		if len(name) > maxName {
			return nil, w.fault(fmt.Errorf("a name is longer than %d bytes", maxName))
		}
		if met[name] {
			return nil, w.fault(fmt.Errorf("%q appears twice", name))
		}
		if met[name] = true; len(met) > maxMembers {
			return nil, w.fault(fmt.Errorf("it has more than %d members", maxMembers))
		}
		read, known := readers[name]
		if !known {
			read = (*walk).skip
		}
		w.what = strings.TrimSpace(place + " " + name)
		if err := read(w); err != nil {
			return nil, err
		}
		w.what = place
	}
	return met, w.end()
}

// Bounds on an object whose members nobody knows beforehand: how many it has, and how long
// the name of one is, in bytes.
const (
	maxMembers = 1000
	maxName    = 200
)
