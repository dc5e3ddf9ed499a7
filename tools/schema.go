package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pawl/internal/words"
)

// schema is the part of JSON Schema that the tools use.
type schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Closed      *bool             `json:"additionalProperties"`
	Items       *schema           `json:"items"`
	MinItems    int               `json:"minItems"`
	MinLength   int               `json:"minLength"`
	Enum        []string          `json:"enum"`
	Minimum     *int64            `json:"minimum"`
	Maximum     *int64            `json:"maximum"`
}

// check fits a value to the schema and adds to misfits what does not. It gives
// the value back as it should be read: whole numbers as such, and optional fields
// that are null left out, which some models send for "not given".
func (s schema) check(at string, value any, misfits *[]string) any {
	wrong := func(got string) any {
		*misfits = append(*misfits, fmt.Sprintf("%s takes %s, got %s", at, s.takes(), got))
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		if s.Type == "object" {
			return s.checkFields(at, value, misfits)
		}
	case []any:
		if s.Type == "array" && len(value) >= s.MinItems {
			fitted := make([]any, len(value))
			for i, item := range value {
				fitted[i] = s.Items.check(fmt.Sprintf("%s[%d]", at, i), item, misfits)
			}
			return fitted
		}
	case string:
		if s.Type == "string" && len(value) >= s.MinLength && (s.Enum == nil || slices.Contains(s.Enum, value)) {
			return value
		}
	case bool:
		if s.Type == "boolean" {
			return value
		}
	case json.Number:
		if n, ok := whole(value); ok && s.Type == "integer" && s.allows(n) {
			return n
		}
	}
	if at == "" {
		at = "the input"
	}
	return wrong(describe(value) + s.meant(value))
}

// meant suggests one of a closed list of texts; it is empty or starts with a colon.
func (s schema) meant(value any) string {
	text, _ := value.(string)
	if close := words.MostAlike(text, s.Enum, 1); len(close) > 0 {
		return fmt.Sprintf(": did you mean %q?", close[0])
	}
	return ""
}

func (s schema) checkFields(at string, value map[string]any, misfits *[]string) any {
	fitted := map[string]any{}
	for _, name := range s.names() {
		field := s.Properties[name]
		got, given := value[name]
		switch needed := slices.Contains(s.Required, name); {
		case needed && !given:
			*misfits = append(*misfits, fmt.Sprintf("%s is missing: it takes %s", join(at, name), field.takes()))
		case given && (needed || got != nil):
			fitted[name] = field.check(join(at, name), got, misfits)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		if _, known := s.Properties[name]; known {
			continue
		}
		misfit := fmt.Sprintf("unknown field %q", words.Valid(words.First(join(at, name), 80)))
		if close := words.MostAlike(name, s.names(), 1); len(close) > 0 {
			misfit += fmt.Sprintf(": did you mean %q?", close[0])
		}
		*misfits = append(*misfits, misfit+" (the fields are "+s.fields()+")")
	}
	return fitted
}

func (s schema) allows(n int64) bool {
	return (s.Minimum == nil || n >= *s.Minimum) && (s.Maximum == nil || n <= *s.Maximum)
}

func (s schema) takes() string {
	switch {
	case s.Enum != nil:
		return "one of " + strings.Join(s.Enum, ", ")
	case s.Type == "integer" && s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("a whole number from %d to %d", *s.Minimum, *s.Maximum)
	case s.Type == "integer" && s.Minimum != nil:
		return fmt.Sprintf("a whole number of at least %d", *s.Minimum)
	case s.Type == "integer":
		return "a whole number"
	case s.Type == "boolean":
		return "true or false"
	case s.Type == "array" && s.MinItems > 0:
		return fmt.Sprintf("a list of at least %d, each %s", s.MinItems, s.Items.takes())
	case s.Type == "array":
		return "a list, each " + s.Items.takes()
	case s.Type == "object":
		return "an object with " + s.fields()
	case s.MinLength > 0:
		return "a string that is not empty"
	}
	return "a string"
}

// names lists the fields, the required ones first.
func (s schema) names() []string {
	names := slices.Clone(s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s schema) fields() string { return strings.Join(s.names(), ", ") }

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// whole reads a JSON number that is whole: 3, 3.0 and 3e2 are.
func whole(number json.Number) (int64, bool) {
	if n, err := number.Int64(); err == nil {
		return n, true
	}
	f, err := number.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func describe(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return fmt.Sprintf("a list of %d", len(value))
	case string:
		if value == "" {
			return "an empty string"
		}
		return fmt.Sprintf("the string %q", words.First(value, 60))
	case json.Number:
		return "the number " + words.First(value.String(), 40)
	}
	return fmt.Sprint(value)
}
