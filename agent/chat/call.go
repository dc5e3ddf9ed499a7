package chat

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
)

// callPiece is a part of a tool call. Servers differ in all of it: the index may be
// missing or always 0; the id may be missing, repeated or new in each piece; the arguments
// may come in pieces, at once, or as an object.
type callPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

// call is a tool call being received.
type call struct {
	index *int
	id    string
	name  string
	args  strings.Builder
	extra json.RawMessage
}

// call adds a piece to its call.
func (a *answer) call(p callPiece) {
	c := a.findCall(p)
	if c == nil || c.startsAnother(p) {
		c = &call{index: p.Index}
		a.calls = append(a.calls, c)
	}
	c.id = cmp.Or(c.id, p.ID)
	if c.name == "" && p.Function.Name != "" {
		c.name = p.Function.Name
		a.on(agent.Delta{Call: c.name})
	}
	c.args.WriteString(p.arguments())
	if len(p.Extra) > 0 && string(p.Extra) != "null" {
		c.extra = p.Extra
	}
}

// findCall finds the call that a piece may continue: by index, else by id, else the last one.
func (a *answer) findCall(p callPiece) *call {
	for _, c := range slices.Backward(a.calls) {
		switch {
		case p.Index != nil && c.index != nil:
			if *p.Index == *c.index {
				return c
			}
		case p.ID != "" && c.id != "":
			if p.ID == c.id {
				return c
			}
		default:
			return c
		}
	}
	return nil
}

// startsAnother reports whether the piece starts another call with the same index. A piece
// without a name never does.
func (c *call) startsAnother(p callPiece) bool {
	if p.Function.Name == "" || c.name == "" {
		return false
	}
	if p.ID != "" && c.id != "" {
		return p.ID != c.id
	}
	return p.Function.Name != c.name || json.Valid([]byte(c.args.String()))
}

// arguments is the text of the arguments, which some servers send as an object.
func (p callPiece) arguments() string {
	raw, text := p.Function.Arguments, ""
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil { // null leaves text empty
		return text
	}
	return string(raw)
}

// finishedCall is the call as the loop gets it.
func (a *answer) finishedCall(c *call) *agent.Call {
	whole := &agent.Call{ID: a.ids.Take(c.id), Name: c.name, Input: json.RawMessage(c.args.String())}
	if c.extra != nil {
		whole.Signature, whole.Provider = string(c.extra), a.provider
	}
	return whole
}
