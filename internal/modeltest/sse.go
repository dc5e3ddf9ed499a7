package modeltest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
)

// sse writes server-sent events. Each goes out in two pieces, so that no reader
// gets away with taking a packet for an event.
type sse struct {
	w       http.ResponseWriter
	newline string
	sent    func() // told of every event
}

// event writes one event; name may be empty.
func (s *sse) event(name string, data any) {
	var b bytes.Buffer
	if name != "" {
		b.WriteString("event: " + name + s.newline)
	}
	switch data := data.(type) {
	case string:
		b.WriteString("data: " + data)
	default:
		encoded, err := json.Marshal(data)
		if err != nil {
			panic(err) // only maps and strings come here
		}
		b.WriteString("data: ")
		b.Write(encoded)
	}
	b.WriteString(s.newline + s.newline)
	half := b.Len() / 2
	for _, piece := range [][]byte{b.Bytes()[:half], b.Bytes()[half:]} {
		_, _ = s.w.Write(piece) // a client that went away is noticed by its context
		s.w.(http.Flusher).Flush()
	}
	s.sent()
}

// Object is a JSON object in the making.
type Object map[string]any

// With is the object and more fields.
func (o Object) With(more Object) Object {
	sum := maps.Clone(o)
	maps.Copy(sum, more)
	return sum
}
