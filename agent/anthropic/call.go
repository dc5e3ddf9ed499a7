package anthropic

import (
	"cmp"
	"fmt"

	"pawl/agent/wire"
	"pawl/lifecycle"
)

// callNames maps call ids to ones that the API accepts: letters, digits, _ and -, unique within
// a history. Other providers' servers choose ids freely, some the same in every turn.
type callNames struct {
	used map[string]int              // how often a name was used, alone or with a number
	now  map[lifecycle.CallID]string // calls of the newest assistant message, which results may answer
}

// call returns the id for a call of this message.
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

// result returns the id of the call that a result answers.
func (s *callNames) result(id lifecycle.CallID) string {
	if name, ok := s.now[id]; ok {
		return name
	}
	return identifier(string(id)) // a result without a call: the API will report it
}

// identifier turns the id of a call or the name of a tool into one that the API accepts.
func identifier(name string) string { return cmp.Or(wire.Identifier(name, "", 128), "_") }
