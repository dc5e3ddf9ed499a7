package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Linger is how long an answer that is whole waits for what may follow it: its
// usage, its checksum, the end of its stream.
const Linger = 5 * time.Second

// Body is the body of an answer as an SDK's own reader of events is safe with:
// each event whole, checked, on one line, and named by its own type. The SDKs'
// readers know less of the format and pass over what is damaged.
type Body struct {
	from   io.ReadCloser
	events *Events
	named  bool // name the events, see Clean
	take   func(event []byte) bool
	packed bool // it came compressed, so its end vouches for it
	rest   []byte
	err    error // once rest is empty
}

// Clean puts a Body in the place of a response's. named is for readers that want
// an event's name before its data; those that fail on one get data alone.
//
// take is shown each event first, in its turn, on the goroutine that reads, and keeps
// what it reports true for: that one does not reach the SDK. So the pieces of an
// answer, of which there are thousands, are read once and by a few fields.
func Clean(res *http.Response, keys Keys, named bool, take func(event []byte) bool) *Body {
	b := &Body{from: res.Body, events: NewEvents(res.Body, keys), named: named, take: take, packed: res.Uncompressed}
	res.Body = b
	return b
}

// Close implements io.Closer.
func (b *Body) Close() error { return b.from.Close() }

// Read implements io.Reader.
func (b *Body) Read(to []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.rest, b.err = b.next()
	}
	n := copy(to, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// next is the next event, nothing where that was taken, or what came instead of all
// events.
func (b *Body) next() ([]byte, error) {
	data, err := b.events.Next()
	switch {
	case errors.Is(err, io.EOF) && json.Valid(b.events.Stray()):
		return b.event(b.events.Stray()), err
	case errors.Is(err, io.EOF) && len(b.events.Stray()) > 0:
		return nil, ErrUnreadable
	case err != nil:
		return nil, err
	case string(data) == Done:
		return nil, cmp.Or(b.Settle(), io.EOF)
	case b.take(data):
		return nil, nil
	}
	return b.event(data), nil
}

// event writes one event. A line end can stand only between the parts of JSON.
func (b *Body) event(data []byte) []byte {
	var out bytes.Buffer
	if b.named {
		var is struct{ Type string }
		_ = json.Unmarshal(data, &is) // what is no object has no type
		out.WriteString("event: " + nameOf(is.Type) + "\n")
	}
	out.WriteString("data: ")
	out.Write(bytes.ReplaceAll(data, []byte("\n"), []byte(" ")))
	out.WriteString("\n\n")
	return out.Bytes()
}

// nameOf is a type that can stand on a line.
func nameOf(kind string) string {
	if kind == "" || bytes.ContainsAny([]byte(kind), "\r\n") {
		return "message"
	}
	return kind
}

// Packed says whether the body came compressed. Then no more of it can be believed
// than all of it, for its checksum stands at its end, and damage spreads.
func (b *Body) Packed() bool { return b.packed }

// Settle is the function Settle for this body.
func (b *Body) Settle() error { return Settle(b.from, b.packed) }

// Settle reads what follows a whole answer where that can still prove it wrong:
// the checksum behind a compressed one, unless the server keeps it waiting.
func Settle(body io.ReadCloser, packed bool) error {
	if !packed {
		return nil
	}
	late := time.AfterFunc(Linger, func() { _ = body.Close() })
	if _, err := io.Copy(io.Discard, body); late.Stop() {
		return err
	}
	return nil
}
