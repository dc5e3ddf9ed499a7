package stories

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// issue gives the calls of an answer their ids and signatures, and remembers them.
func (s *modelServer) issue(p protocol, calls []call) []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		s.minted++
		if c.id == "" && p.mint != "" {
			c.id = fmt.Sprintf("%s%06d", p.mint, s.minted)
		}
		if p.signs && i == 0 { // the first call of each step
			c.signature = fmt.Sprintf("c2lnbmF0dXJl%08d", s.minted)
		}
		for _, key := range []string{c.id, c.meaning()} {
			s.issued[key] = append(s.issued[key], *c)
		}
	}
	return calls
}

// forged lists the calls of a history that no script ever made, or that came back
// changed. Arguments that are no JSON cannot come back as they were.
func (s *modelServer) forged(p protocol, h heard) (problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range h.messages {
		for _, c := range m.calls {
			made := s.issued[c.id]
			if len(made) == 0 { // the id is the client's own
				made = s.issued[c.meaning()]
			}
			same := func(made call) bool {
				signed := !p.signs || made.signature == "" || made.signature == c.signature
				return signed && (made.meaning() == c.meaning() || !json.Valid([]byte(made.input)))
			}
			if !slices.ContainsFunc(made, same) {
				problems = append(problems, fmt.Sprintf("this call was never made, or not like this: %+v; made were %+v", c, made))
			}
		}
	}
	return problems
}

// unsound lists what breaks a history in any protocol: each call has exactly one
// result, directly after it and in order; nothing is empty; a person or a result
// has the last word.
func unsound(messages []said) (problems []string) {
	var open []call
	seen := map[string]bool{}
	for i, m := range messages {
		place := fmt.Sprintf("message %d (%s)", i, m.role)
		if m.role != "tool" && len(open) > 0 {
			problems = append(problems, place+" comes before the results of "+names(open))
			open = nil
		}
		if strings.TrimSpace(m.text) == "" && len(m.calls) == 0 && len(m.results) == 0 {
			problems = append(problems, place+" is empty")
		}
		for _, r := range m.results {
			switch {
			case len(open) == 0:
				problems = append(problems, place+" has a result without a call: "+r.call)
				continue
			case open[0].id != r.call:
				problems = append(problems, fmt.Sprintf("%s has the result of %q where that of %q belongs", place, r.call, open[0].id))
			}
			open = open[1:]
			if strings.TrimSpace(r.text) == "" {
				problems = append(problems, place+" has an empty result for "+r.call)
			}
		}
		if m.role == "tool" && len(open) > 0 {
			problems = append(problems, place+" lacks the results of "+names(open))
			open = nil
		}
		for _, c := range m.calls {
			if c.id == "" || seen[c.id] {
				problems = append(problems, fmt.Sprintf("%s has a call with the id %q, which is empty or was used before", place, c.id))
			}
			seen[c.id] = true
		}
		open = append(open, m.calls...)
	}
	if n := len(messages); n == 0 || messages[n-1].role == "assistant" {
		problems = append(problems, "the model has the last word: there is nothing to answer")
	}
	return problems
}

func names(calls []call) string {
	var list []string
	for _, c := range calls {
		list = append(list, c.name+" "+c.id)
	}
	return strings.Join(list, ", ")
}
