package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// ids keeps the identities of calls within what the API takes: letters, digits,
// _ and -, and no two calls of a history alike. Other providers' servers name
// calls as they like, some with the same names in every turn.
type ids struct {
	used map[string]bool
	now  map[lifecycle.CallID]string // calls of the turn that results may answer
}

func newIDs() *ids { return &ids{used: map[string]bool{}} }

// turn begins an assistant message.
func (s *ids) turn() { s.now = map[lifecycle.CallID]string{} }

// call names a call of this turn.
func (s *ids) call(id lifecycle.CallID) string {
	base := identifier(string(id))
	name := base
	for n := 2; s.used[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	s.used[name], s.now[id] = true, name
	return name
}

// result names the call that a result answers.
func (s *ids) result(id lifecycle.CallID) string {
	if name, ok := s.now[id]; ok {
		return name
	}
	return identifier(string(id)) // a result without a call: the API will say so
}

// taken lists the calls of a history: a new one must be none of them.
func taken(history []agent.Message) map[lifecycle.CallID]bool {
	ids := map[lifecycle.CallID]bool{}
	for _, m := range history {
		for _, part := range m.Parts {
			if part.Call != nil {
				ids[part.Call.ID] = true
			}
		}
	}
	return ids
}

// identifier makes a name of a call or a tool one that the API takes. A model
// can call what does not exist, by any name, and the history must still go out.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), 128)]
}

// object is a call's input as the API takes it back: an object, whatever the
// model wrote.
func object(input json.RawMessage) json.RawMessage {
	trimmed := bytes.TrimSpace(input)
	switch {
	case len(trimmed) == 0:
		return json.RawMessage(`{}`)
	case !json.Valid(trimmed) || trimmed[0] != '{':
		return encode(map[string]string{"_invalid": string(input)})
	case !bytes.Contains(bytes.ToLower(trimmed), []byte(`\ud`)):
		return trimmed
	}
	// There are escaped surrogates. Those that stand alone are JSON for Go and
	// not for the server; decoding replaces them.
	decoder := json.NewDecoder(bytes.NewReader(trimmed))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return encode(map[string]string{"_invalid": string(input)})
	}
	return encode(value)
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // only what was JSON before comes here
		panic("anthropic: encode: " + err.Error())
	}
	return b
}
