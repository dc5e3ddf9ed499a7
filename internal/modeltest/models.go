package modeltest

import (
	"io"
	"net/http"
)

// listModels answers who asks which models there are, each in the words of its protocol;
// it is false where nobody asked that.
func (s *Server) listModels(w http.ResponseWriter, r *http.Request) bool {
	lists := map[string]string{
		"/v1beta/models": `{"models":[{"name":"models/gemini-loopback-1","inputTokenLimit":1000000,"supportedGenerationMethods":["generateContent"]}]}`,
		"/v1/models":     `{"object":"list","data":[{"id":"gpt-5.5"},{"id":"text-embedding-3"},{"id":"compatible-loopback-1"}]}`,
	}
	p := Responses()
	switch {
	case r.Method != http.MethodGet || lists[r.URL.Path] == "":
		return false
	case r.URL.Path == "/v1beta/models":
		p = Gemini()
	case r.Header.Get("X-Api-Key") != "":
		p = Anthropic()
		lists[r.URL.Path] = `{"data":[{"type":"model","id":"claude-opus-5-5"},{"type":"model","id":"claude-loopback-1"}],"has_more":false,"first_id":"a","last_id":"b"}`
	}
	if !s.accepts(p.key(r)) {
		p.refuse(w, Reply{Status: p.BadKey, Message: "the key is wrong"})
		return true
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, lists[r.URL.Path]) // a client that went away needs none
	return true
}
