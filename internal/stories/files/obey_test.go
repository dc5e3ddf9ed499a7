//go:build linux

package files

import (
	"encoding/json"
	"strings"

	"pawl/internal/modeltest"
)

// What stands in a prompt before the steps that the model is to make, a list of lists of calls: of the
// main agent, and of a subagent, whose prompt is in one of the other.
const (
	steps  = "STEPS:"
	orders = "ORDERS:"
)

// step is what a model asks for in one answer.
type step []call

// call is one of the model's.
type call struct {
	Tool  string         `json:"tool"`
	Input map[string]any `json:"input"`
}

// obey is a model that makes the steps that its newest prompt holds, one after the other.
func obey(h modeltest.Request) modeltest.Reply {
	var asked []step
	made, mark := 0, orders
	if h.Parent() {
		mark = steps
	}
	for _, m := range h.Messages {
		at := strings.LastIndex(m.Text, mark) // prompts that were never answered stand before it
		switch {
		case m.Role == "user" && at >= 0:
			asked, made = nil, 0
			if err := json.NewDecoder(strings.NewReader(m.Text[at+len(mark):])).Decode(&asked); err != nil {
				return modeltest.Say("These are no steps: " + err.Error())
			}
		case m.Role == "assistant":
			made++
		}
	}
	if made >= len(asked) {
		return modeltest.Say("Done.")
	}
	var calls []modeltest.Call
	for _, c := range asked[made] {
		calls = append(calls, modeltest.Use(c.Tool, c.Input))
	}
	return modeltest.Do(calls...)
}
