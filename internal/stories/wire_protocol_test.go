package stories

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"os"
	"strings"
	"testing"
)

// protocol is one way of asking a model.
type protocol struct {
	name    string // as in --model NAME/…
	model   string // whole, for the flag
	newline string // of its events
	mint    string // how its call ids begin; empty: it gives none
	signs   bool   // its calls carry a signature that must come back
	badKey  int    // the status for a wrong key

	path   func(string) bool
	key    func(*http.Request) string
	hear   func(*http.Request, []byte) (heard, []string)
	voice  func(*sse, heard) voice
	refuse func(http.ResponseWriter, reply)
}

// voice speaks one answer in a protocol's events.
type voice interface {
	begin(usage)
	say(piece string)
	ask(c call)
	end(stop string, u usage)
}

// protocols lists all four.
func protocols() []protocol {
	return []protocol{anthropicProtocol(), responsesProtocol(), chatProtocol(), geminiProtocol()}
}

// eachProtocol plays a story about the protocols themselves in each of them, side by
// side.
func eachProtocol(t *testing.T, story func(t *testing.T, p protocol)) {
	t.Parallel()
	for _, p := range protocols() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			story(t, p)
		})
	}
}

// anyProtocol plays a story that is the same in whatever the model is asked in: in one
// protocol, which the story's name chooses, so that all stories together play in each of
// the four; and in every one of them with PAWL_SOAK. What the protocols themselves must
// hold is tested at the providers, by wiretest's bench.
func anyProtocol(t *testing.T, story func(t *testing.T, p protocol)) {
	if os.Getenv("PAWL_SOAK") != "" {
		eachProtocol(t, story)
		return
	}
	t.Parallel()
	all := protocols()
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(t.Name()))
	story(t, all[sum.Sum32()%uint32(len(all))])
}

// environ are the variables that lead every provider to this server.
func (s *modelServer) environ() []string {
	return []string{
		"ANTHROPIC_API_KEY=" + rightKey, "ANTHROPIC_BASE_URL=" + s.URL,
		"OPENAI_API_KEY=" + rightKey, "OPENAI_BASE_URL=" + s.URL + "/v1",
		"GEMINI_API_KEY=" + rightKey, "GOOGLE_GEMINI_BASE_URL=" + s.URL,
	}
}

func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// refuseWith writes an error answer with this body.
func refuseWith(w http.ResponseWriter, answer reply, body any) {
	w.Header().Set("Content-Type", "application/json")
	if answer.retryAfter != "" {
		w.Header().Set("Retry-After", answer.retryAfter)
	}
	w.WriteHeader(answer.status)
	_ = json.NewEncoder(w).Encode(body) // a client that went away needs no answer
}

// faults gathers what is wrong with a request.
type faults struct{ list []string }

func (f *faults) unless(ok bool, problem string) {
	if !ok {
		f.list = append(f.list, problem)
	}
}

// written says that a text is one.
func written(text string) bool { return strings.TrimSpace(text) != "" }

// isObject says that some JSON is an object.
func isObject(raw json.RawMessage) bool {
	fields := map[string]any{}
	return json.Unmarshal(raw, &fields) == nil && fields != nil
}

// schemaFits says that a tool's schema is one that providers take: an object with
// its properties.
func schemaFits(raw json.RawMessage) bool {
	var schema struct {
		Type       string
		Properties map[string]json.RawMessage
	}
	return json.Unmarshal(raw, &schema) == nil && strings.EqualFold(schema.Type, "object") && schema.Properties != nil
}

// grow adds to the history: to its last message where that has the same role, else
// as a new one.
func grow(history []said, m said) []said {
	if n := len(history); n > 0 && history[n-1].role == m.role {
		last := &history[n-1]
		if last.text != "" && m.text != "" {
			last.text += "\n"
		}
		last.text += m.text
		last.calls = append(last.calls, m.calls...)
		last.results = append(last.results, m.results...)
		return history
	}
	return append(history, m)
}
