package anthropic

import (
	"cmp"
	"fmt"

	"pawl/agent/wire"
	"pawl/lifecycle"
)

// callNames keeps the identities of calls within what the API takes: letters, digits,
// _ and -, and no two calls of a history alike. Other providers' servers name
// calls as they like, some with the same names in every turn.
type callNames struct {
	used map[string]int              // how many calls were given this name, or it and a number
	now  map[lifecycle.CallID]string // calls of the turn that results may answer
}

func newCallNames() *callNames { return &callNames{used: map[string]int{}} }

// nextMessage begins an assistant message.
func (s *callNames) nextMessage() { s.now = map[lifecycle.CallID]string{} }

// call names a call of this turn.
func (s *callNames) call(id lifecycle.CallID) string {
	base := identifier(string(id))
	name := base
	for s.used[name] > 0 {
		s.used[base]++
		name = fmt.Sprintf("%s_%d", base, s.used[base])
	}
	s.used[name]++
	s.now[id] = name
	return name
}

// result names the call that a result answers.
func (s *callNames) result(id lifecycle.CallID) string {
	if name, ok := s.now[id]; ok {
		return name
	}
	return identifier(string(id)) // a result without a call: the API will say so
}

// identifier makes a name of a call or a tool one that the API takes.
func identifier(name string) string { return cmp.Or(wire.Identifier(name, "", 128), "_") }
