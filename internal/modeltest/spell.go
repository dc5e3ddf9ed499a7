package modeltest

import "net/http/httptest"

// Spelt is an answer in a protocol's bytes.
type Spelt struct {
	Bytes []byte
	Cuts  []int // where its events end
}

// Spell writes an answer as the protocol's writer writes it.
func Spell(p Protocol, answer Reply) Spelt {
	var s Spelt
	recorder := httptest.NewRecorder()
	out := &sse{w: recorder, newline: p.newline, sent: func() { s.Cuts = append(s.Cuts, recorder.Body.Len()) }}
	v := p.writer(out, Request{Model: p.Model, Raw: []byte(`{"stream_options":{"include_usage":true}}`)})
	v.begin(answer.Usage)
	for _, piece := range answer.Text {
		v.say(piece)
	}
	issuer := Server{issued: map[string][]Call{}}
	for _, c := range issuer.issue(p, answer.Calls) {
		v.ask(c)
	}
	v.end(answer.stopped(), answer.Usage)
	s.Bytes = recorder.Body.Bytes()
	return s
}
