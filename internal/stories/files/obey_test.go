//go:build unix

package files

import (
	"encoding/json"
	"strings"

	"pawl/internal/modeltest"
)

// mark stands in a prompt before the calls that the model is to make.
const mark = "CALLS:"

// obey is a model that makes the calls that its prompt holds as JSON, and says so when it is given
// their results.
func obey(h modeltest.Request) modeltest.Reply {
	for _, m := range h.News() {
		_, text, found := strings.Cut(m.Text, mark)
		if m.Role != "user" || !found {
			continue
		}
		var calls []struct {
			Tool  string          `json:"tool"`
			Input modeltest.Object `json:"input"`
		}
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&calls); err != nil {
			return modeltest.Say("These are no calls: " + err.Error())
		}
		var made []modeltest.Call
		for _, c := range calls {
			made = append(made, modeltest.Use(c.Tool, c.Input))
		}
		return modeltest.Do(made...)
	}
	return modeltest.Say("Done.")
}
