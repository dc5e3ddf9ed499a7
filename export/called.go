package export

import (
	"cmp"
	"encoding/json"

	"pawl/lifecycle"
)

// called is the subagent or command that a call is about, by its name here and what it is
// called: the id in the input says nothing to a person. Empty: it is about none.
func (b *book) called(input json.RawMessage) string {
	var about struct {
		Agent  lifecycle.SessionID `json:"agent_id"`
		Task   lifecycle.SessionID `json:"task_id"`
		Shell  lifecycle.SessionID `json:"shell_id"`
		Resume lifecycle.SessionID `json:"resume"`
	}
	if json.Unmarshal(input, &about) != nil {
		return ""
	}
	id := cmp.Or(about.Agent, about.Task, about.Shell, about.Resume)
	if id == "" {
		return ""
	}
	for _, s := range b.sessions {
		if s.id == id && len(s.runs) > 0 {
			return listed(s.name, s.runs[0].Description)
		}
	}
	for _, run := range b.shells {
		if run.Session == id {
			return listed(b.name(run.ID), run.Description)
		}
	}
	return ""
}
