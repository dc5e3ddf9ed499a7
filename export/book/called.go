package book

import (
	"cmp"
	"encoding/json"

	"pawl/lifecycle"
)

// Called is the short name and description of the subagent or command that a call is about: the
// id in the input tells a person nothing. Empty if it is about none.
func (b *Book) Called(input json.RawMessage) string {
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
	for _, s := range b.Sessions {
		if s.ID == id && len(s.Runs) > 0 {
			return Joined(s.Name, s.Runs[0].Description)
		}
	}
	for _, run := range b.Shells {
		if run.Session == id {
			return Joined(b.Name(run.ID), run.Description)
		}
	}
	return ""
}
