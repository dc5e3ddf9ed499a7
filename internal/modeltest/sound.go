package modeltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// issue gives the calls of an answer their ids and signatures, and remembers them.
func (s *Server) issue(p Protocol, calls []Call) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		s.idCount++
		if c.ID == "" && p.idPrefix != "" {
			c.ID = fmt.Sprintf("%s%06d", p.idPrefix, s.idCount)
		}
		if p.signs && i == 0 { // the first call of each step
			c.signature = fmt.Sprintf("c2lnbmF0dXJl%08d", s.idCount)
		}
		for _, key := range []string{c.ID, c.Meaning()} {
			s.issued[key] = append(s.issued[key], *c)
		}
	}
	return calls
}

// unissued lists the calls of a history that no script ever made, or that came back
// changed. Arguments that are no JSON cannot come back as they were.
func (s *Server) unissued(p Protocol, h Request) (problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range h.Messages {
		for _, c := range m.Calls {
			made := s.issued[c.ID]
			if len(made) == 0 { // the id is the client's own
				made = s.issued[c.Meaning()]
			}
			same := func(made Call) bool {
				signed := !p.signs || made.signature == "" || made.signature == c.signature
				return signed && (made.Meaning() == c.Meaning() || !json.Valid([]byte(made.Input)))
			}
			if !slices.ContainsFunc(made, same) {
				problems = append(problems, fmt.Sprintf("this call was never made, or not like this: %+v; made were %+v", c, made))
			}
		}
	}
	return problems
}

// checkHistory lists what breaks a history in any protocol: each call has exactly one
// result, directly after it and in order; nothing is empty; a person or a result
// has the last word.
func checkHistory(messages []Message) (problems []string) {
	var open []Call
	seen := map[string]bool{}
	for i, m := range messages {
		place := fmt.Sprintf("message %d (%s)", i, m.Role)
		if m.Role != "tool" && len(open) > 0 {
			problems = append(problems, place+" comes before the results of "+names(open))
			open = nil
		}
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 && len(m.Results) == 0 {
			problems = append(problems, place+" is empty")
		}
		for _, r := range m.Results {
			switch {
			case len(open) == 0:
				problems = append(problems, place+" has a result without a call: "+r.Call)
				continue
			case open[0].ID != r.Call:
				problems = append(problems, fmt.Sprintf("%s has the result of %q where that of %q belongs", place, r.Call, open[0].ID))
			}
			open = open[1:]
			if strings.TrimSpace(r.Text) == "" {
				problems = append(problems, place+" has an empty result for "+r.Call)
			}
		}
		if m.Role == "tool" && len(open) > 0 {
			problems = append(problems, place+" lacks the results of "+names(open))
			open = nil
		}
		for _, c := range m.Calls {
			if c.ID == "" || seen[c.ID] {
				problems = append(problems, fmt.Sprintf("%s has a call with the id %q, which is empty or was used before", place, c.ID))
			}
			seen[c.ID] = true
		}
		open = append(open, m.Calls...)
	}
	if n := len(messages); n == 0 || messages[n-1].Role == "assistant" {
		problems = append(problems, "the model has the last word: there is nothing to answer")
	}
	return problems
}

func names(calls []Call) string {
	var list []string
	for _, c := range calls {
		list = append(list, c.Name+" "+c.ID)
	}
	return strings.Join(list, ", ")
}
