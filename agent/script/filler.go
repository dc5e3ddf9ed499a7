package script

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"pawl/agent"
)

// placeholder is {{agent_id}} or {{agent_id:2}}.
var placeholder = regexp.MustCompile(`\{\{(\w+)(?::(\d+))?\}\}`)

// filled replaces placeholders by values out of the results of a conversation.
type filled struct {
	results []map[string]any // those that are JSON objects
	missing []string
}

func filler(messages []agent.Message) *filled {
	f := &filled{}
	for _, a := range actsOf(messages) {
		var object map[string]any
		if json.Unmarshal([]byte(a.text), &object) == nil {
			f.results = append(f.results, object)
		}
	}
	return f
}

// in fills a text. What no result has stays as it is and is named in missing.
func (f *filled) in(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholder.FindStringSubmatch(found)
		n, err := strconv.Atoi(m[2])
		if err != nil {
			n = 1
		}
		values := f.values(m[1])
		if n < 1 || n > len(values) {
			f.missing = append(f.missing, found)
			return found
		}
		return values[n-1]
	})
}

// values are the different texts of a field, in the order of the results.
func (f *filled) values(field string) []string {
	var values []string
	for _, object := range f.results {
		if text, ok := object[field].(string); ok && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}
