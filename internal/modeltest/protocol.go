package modeltest

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pawl/internal/soaktest"
)

// Protocol is one way of asking a model.
type Protocol struct {
	Name     string // as in --model NAME/…
	Model    string // whole, for the flag
	newline  string // of its events
	idPrefix string // how its call ids begin; empty: it gives none
	signs    bool   // its calls carry a signature that must come back
	BadKey   int    // the status for a wrong key

	Path   func(string) bool // of a URL: is it one of its own?
	key    func(*http.Request) string
	decode func(*http.Request, []byte) (Request, []string)
	writer func(*sse, Request) answerWriter
	refuse func(http.ResponseWriter, Reply)
}

// answerWriter writes one answer in a protocol's events.
type answerWriter interface {
	begin(Usage)
	say(piece string)
	ask(c Call)
	end(stop string, u Usage)
}

// Protocols lists all four.
func Protocols() []Protocol {
	return []Protocol{Anthropic(), Responses(), Chat(), Gemini()}
}

// EachProtocol plays a story about the protocols themselves in each of them, side by
// side.
func EachProtocol(t *testing.T, story func(t *testing.T, p Protocol)) {
	t.Parallel()
	for _, p := range Protocols() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			story(t, p)
		})
	}
}

// AnyProtocol plays a story that is the same in whatever the model is asked in: in one
// protocol, which the story's name chooses, so that all stories together play in each of
// the four; and in every one of them with PAWL_SOAK. What the protocols themselves must
// hold is tested at the providers, by wiretest's bench.
func AnyProtocol(t *testing.T, story func(t *testing.T, p Protocol)) {
	if soaktest.Wanted() {
		EachProtocol(t, story)
		return
	}
	t.Parallel()
	story(t, ProtocolFor(t.Name()))
}

// ProtocolFor is the one that a story's name chooses.
func ProtocolFor(name string) Protocol {
	all := Protocols()
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	return all[sum.Sum32()%uint32(len(all))]
}

// Environ are the variables that lead every provider to this server.
func (s *Server) Environ() []string { return EnvironTo(s.URL) }

// EnvironTo are the same for another way to a server.
func EnvironTo(url string) []string {
	return []string{
		"ANTHROPIC_API_KEY=" + Key, "ANTHROPIC_BASE_URL=" + url,
		"OPENAI_API_KEY=" + Key, "OPENAI_BASE_URL=" + url + "/v1",
		"GEMINI_API_KEY=" + Key, "GOOGLE_GEMINI_BASE_URL=" + url,
	}
}

func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func refuseWith(w http.ResponseWriter, answer Reply, body any) {
	w.Header().Set("Content-Type", "application/json")
	if answer.RetryAfter != "" {
		w.Header().Set("Retry-After", answer.RetryAfter)
	}
	w.WriteHeader(answer.Status)
	_ = json.NewEncoder(w).Encode(body) // a client that went away needs no answer
}

// faults gathers what is wrong with a request.
type faults struct{ list []string }

func (f *faults) unless(ok bool, problem string) {
	if !ok {
		f.list = append(f.list, problem)
	}
}

// effort holds a level of effort to those that there are.
func (f *faults) effort(level string, takes ...string) {
	f.unless(level == "" || slices.Contains(takes, level), "effort "+level+" is not one of "+strings.Join(takes, ", "))
}

func written(text string) bool { return strings.TrimSpace(text) != "" }

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

// Grow adds to the history: to its last message where that has the same role, else
// as a new one.
func Grow(history []Message, m Message) []Message {
	if n := len(history); n > 0 && history[n-1].Role == m.Role {
		last := &history[n-1]
		if last.Text != "" && m.Text != "" {
			last.Text += "\n"
		}
		last.Text += m.Text
		last.Calls = append(last.Calls, m.Calls...)
		last.Results = append(last.Results, m.Results...)
		return history
	}
	return append(history, m)
}
