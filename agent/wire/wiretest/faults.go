package wiretest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome is what a fault may lead to.
type outcome string

const (
	whole  outcome = "the whole answer"
	broken outcome = "an error after which to retry"
	wrong  outcome = "an error that a retry does not mend"
	either outcome = "the whole answer or an error" // the essential part has arrived, or the checksum has not
)

// fault is one way in which a stream can differ from its recording.
type fault struct {
	want outcome
	do   func(b Bench, stream string) Reply
}

// body is a fault of the body alone.
func body(want outcome, do func(b Bench, stream string) string) fault {
	return fault{want, func(b Bench, stream string) Reply { return Reply{Body: do(b, stream)} }}
}

// header is the whole stream with another header.
func header(want outcome, name, value string) fault {
	return fault{want, func(_ Bench, stream string) Reply { return Reply{Header: map[string]string{name: value}, Body: stream} }}
}

// between inserts an event between all others.
func between(event string) func(Bench, string) string {
	return func(_ Bench, stream string) string { return strings.ReplaceAll(stream, "\n\n", "\n\n"+event+"\n\n") }
}

// before inserts text before the stream.
func before(text string) func(Bench, string) string {
	return func(_ Bench, stream string) string { return text + stream }
}

// after appends text to the stream.
func after(text string) func(Bench, string) string {
	return func(_ Bench, stream string) string { return stream + text }
}

// only replaces the stream.
func only(text string) func(Bench, string) string {
	return func(Bench, string) string { return text }
}

// each changes the data of every event.
func each(change func(data string) string) func(Bench, string) string {
	return func(_ Bench, stream string) string {
		lines := strings.Split(stream, "\n")
		for i, line := range lines {
			if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]" {
				lines[i] = "data: " + change(data)
			}
		}
		return strings.Join(lines, "\n")
	}
}

// middle changes the first piece of the answer, from its key on.
func middle(change func(key, rest string) string) func(Bench, string) string {
	return func(b Bench, stream string) string {
		head, rest, _ := strings.Cut(stream, b.Key)
		return head + change(b.Key, rest)
	}
}

// swap replaces the first occurrence.
func swap(old, by string) func(Bench, string) string {
	return func(_ Bench, stream string) string { return strings.Replace(stream, old, by, 1) }
}

// first keeps a part of the first line of data.
func first(keep func(line string) string) func(Bench, string) string {
	return func(_ Bench, stream string) string {
		at := strings.Index(stream, "data: ")
		end := at + strings.Index(stream[at:], "\n")
		return stream[:at] + keep(stream[at:end]) + stream[end:]
	}
}

// indent spreads JSON over many lines.
func indent(data string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(data), "", "  ") != nil {
		return data
	}
	return strings.ReplaceAll(out.String(), "\n", "\ndata: ")
}

// final is where the last event that the answer needs begins.
func (b Bench) final() int { return strings.LastIndex(b.Stream, "data: "+b.Final) }

// harmlessVariants are unusual but valid forms of a stream. With faults they cover what
// was seen of servers and gateways.
func harmlessVariants() map[string]fault {
	return map[string]fault{
		"line ends of Windows":    body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
		"byte order mark":         body(whole, before("\ufeff")),
		"mark and Windows":        body(whole, func(_ Bench, s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }),
		"a comment first":         body(whole, before(": welcome\n\n")),
		"comments between":        body(whole, between(": ping")),
		"empty comments between":  body(whole, between(":")),
		"comments inside":         body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "\n\n", "\n: ping\n\n") }),
		"a thousand comments":     body(whole, before(strings.Repeat(": OPENROUTER PROCESSING\n\n", 1000))),
		"no space behind data":    body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "data: ", "data:") }),
		"no empty lines":          body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "\n\n", "\n") }),
		"many empty lines":        body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "\n\n", "\n\n\n\n") }),
		"ids and waits":           body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "data: ", "id: 7\nretry: 10\ndata: ") }),
		"names of events":         body(whole, func(_ Bench, s string) string { return strings.ReplaceAll(s, "data: ", "event: message\ndata: ") }),
		"no names of events":      body(whole, withoutNames),
		"no last line end":        body(whole, func(_ Bench, s string) string { return strings.TrimRight(s, "\r\n") }),
		"JSON over many lines":    body(whole, each(indent)),
		"fields that are new":     body(whole, each(func(data string) string { return `{"novelty":[{"a":null}],` + data[1:] })),
		"events that are new":     body(whole, between(`data: {"novelty":{"a":"b"}}`)),
		"an event of 10 MB":       body(whole, before(`data: {"novelty":"`+strings.Repeat("a", 10<<20)+"\"}\n\n")),
		"pings":                   body(whole, func(b Bench, s string) string { return strings.ReplaceAll(s, "\n\n", "\n\n"+b.Ping+"\n\n") }),
		"no content type":         header(whole, "Content-Type", ""),
		"another content type":    header(whole, "Content-Type", "text/plain"),
		"two final events":        body(whole, func(b Bench, s string) string { return s + s[b.final():] }),
		"the whole of it twice":   body(whole, func(_ Bench, s string) string { return s + s }),
		"[DONE] behind it":        body(whole, after("data: [DONE]\n\n")),
		"nonsense behind it":      body(either, after("data: {nonsense\n\n")),
		"a web page behind it":    body(either, after("<html>bye</html>\n")),
		"more than its length":    header(broken, "Content-Length", "300"),
		"compressed, no checksum": {either, func(_ Bench, s string) Reply { return packed(s, func(z string) string { return z[:len(z)-8] }) }},
		"compressed":              {whole, func(_ Bench, s string) Reply { return packed(s, func(z string) string { return z }) }},
	}
}

// faults are the invalid forms.
func faults() map[string]fault {
	return map[string]fault{
		"compressed and cut":    {broken, func(_ Bench, s string) Reply { return packed(s, func(z string) string { return z[:len(z)/2] }) }},
		"a wrong checksum":      {broken, func(_ Bench, s string) Reply { return packed(s, wrongChecksum) }},
		"a wrong one, nonsense": {broken, func(_ Bench, s string) Reply { return packed(s+"data: {nonsense\n\n", wrongChecksum) }},
		"said to be compressed": header(broken, "Content-Encoding", "gzip"),
		"nothing":               body(broken, only("")),
		"only comments":         body(broken, only(": ping\n\n: ping\n\n")),
		"only [DONE]":           body(broken, only("data: [DONE]\n\n")),
		"a web page": {wrong, func(Bench, string) Reply {
			return Reply{Header: map[string]string{"Content-Type": "text/html"}, Body: "<html><h1>Hello</h1></html>"}
		}},
		"a web page as a stream":  body(broken, only("<html>\n<h1>Hello</h1>\n</html>\n")),
		"a web page in front":     body(broken, before("<html>\n")),
		"JSON and no stream":      body(broken, only(`{"id":"x"}`)),
		"an error and no stream":  body(broken, only(`{"error":{"code":503,"message":"busy","type":"overloaded_error"}}`)),
		"an error in the middle":  body(broken, func(b Bench, s string) string { return s[:b.final()] + b.Fault + s[b.final():] }),
		"no final event":          body(broken, func(b Bench, s string) string { return s[:b.final()] }),
		"a number as an event":    body(broken, func(b Bench, s string) string { return s[:b.final()] + "data: 12\n\n" }),
		"half of the final event": body(broken, func(b Bench, s string) string { return s[:b.final()+20] + "\n\n" }),
		"a half line":             body(broken, func(b Bench, s string) string { return s[:b.final()+12] }),
		"half an event, and on":   body(broken, first(func(line string) string { return line[:len(line)/2] })),
		"an event lost its field": body(broken, swap("data: {", "dbta: {")),
		"an event lost its d":     body(broken, func(b Bench, s string) string { return s[:b.final()] + s[b.final()+1:] }),
		"an event is a comment":   body(broken, func(b Bench, s string) string { return s[:b.final()] + ":" + s[b.final()+1:] }),
		"a key is damaged":        body(broken, middle(func(key, rest string) string { return key[:1] + "\x7f" + key[2:] + rest })),
		"a NUL inside":            body(broken, middle(func(key, rest string) string { return key + "\x00" + rest })),
		"no UTF-8":                body(broken, swap("ö", "\xc3")),
		"a text over two lines":   body(broken, swap("ö", "\n")),
		"a line without end":      body(broken, func(b Bench, s string) string { return s[:b.final()] + "data: " + strings.Repeat("a", 33<<20) }),
	}
}

func withoutNames(_ Bench, stream string) string {
	var out strings.Builder
	for line := range strings.Lines(stream) {
		if !strings.HasPrefix(line, "event:") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// packed is a compressed body, changed.
func packed(stream string, change func(string) string) Reply {
	return Reply{Header: map[string]string{"Content-Encoding": "gzip"}, Body: change(pack(stream))}
}

// wrongChecksum changes the checksum after compressed data.
func wrongChecksum(z string) string {
	at := len(z) - 8
	return z[:at] + string([]byte{z[at] ^ 1}) + z[at+1:]
}

// Faults plays the table.
func (b Bench) Faults(t *testing.T) {
	t.Parallel()
	require.NotContains(t, b.Stream, "\r", "the table knows one end of lines")
	require.Contains(t, b.Stream, "ö")
	require.Contains(t, b.Stream, b.Key)
	require.Positive(t, b.final())
	want := withoutCounts(b.recorded(t))
	all := faults()
	maps.Copy(all, harmlessVariants())
	for name, fault := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Serve(t, fault.do(b, b.Stream))
			answer, err := b.ask(t.Context(), t, b.New(s.URL, s.Client))
			switch {
			case fault.want == broken || fault.want == wrong:
				require.Error(t, err)
				require.Equal(t, fault.want == broken, temporary(err), err)
			case fault.want == whole || err == nil:
				require.NoError(t, err)
				require.Equal(t, want, withoutCounts(answer))
			}
		})
	}
	t.Run("in pieces of characters", func(t *testing.T) { b.inPieces(t, want) })
	t.Run("two calls of one id", b.twins)
	t.Run("arguments that are no JSON", b.odd)
}

// inPieces sends three bytes at a time, so that some pieces end inside a character.
func (b Bench) inPieces(t *testing.T, want any) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for stream := b.Stream; stream != ""; stream = stream[min(3, len(stream)):] {
			_, _ = w.Write([]byte(stream[:min(3, len(stream))]))
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(server.Close)
	answer, err := b.ask(t.Context(), t, b.New(server.URL, server.Client()))
	require.NoError(t, err)
	require.Equal(t, want, withoutCounts(answer))
}

func (b Bench) twins(t *testing.T) {
	answer, err := b.ask(t.Context(), t, b.playing(b.SameIDs))
	require.NoError(t, err)
	calls := answer.Message.Calls()
	require.Len(t, calls, 2)
	require.NotEqual(t, calls[0].ID, calls[1].ID)
}

func (b Bench) odd(t *testing.T) {
	if b.InvalidArguments == "" {
		t.Skip("its arguments are JSON or no event at all")
	}
	answer, err := b.ask(t.Context(), t, b.playing(b.InvalidArguments))
	require.NoError(t, err)
	require.Contains(t, string(answer.Message.Calls()[0].Input), "oops", "as the model wrote it")
}
