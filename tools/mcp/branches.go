package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pawl/internal/words"
)

// Makers of models refuse a request whole if the schema of one of its tools has a choice at its root:
// Anthropic oneOf, anyOf and allOf, OpenAI enum and not as well. Models are offered a schema without,
// and told of the choice in words; a call goes to the server as the model made it, and the server decides.

const (
	longestCondition = 800 // characters
	mostBranches     = 200 // a short schema can lead back to itself without end
)

// choices are what is taken off the root of a schema, in the order in which it is looked through.
var choices = []string{"allOf", "anyOf", "oneOf", "not", "enum"}

// unbranch takes the choices off the root of a schema, gives it the properties of their branches, and
// returns them as a sentence for the tool's description; empty if there are none.
func unbranch(schema map[string]any) string {
	taken := map[string]any{}
	for _, word := range choices {
		if what, given := schema[word]; given {
			taken[word] = what
			delete(schema, word)
		}
	}
	if len(taken) == 0 {
		return ""
	}
	b := &branches{root: schema, properties: map[string][]any{}, left: mostBranches}
	b.addAll(taken, true)
	properties := map[string]any{}
	for name, found := range b.properties {
		properties[name] = found[0]
		if len(found) > 1 { // below the root a choice is taken
			properties[name] = map[string]any{"anyOf": found}
		}
	}
	if own, are := schema["properties"].(map[string]any); are {
		maps.Copy(properties, own)
	}
	schema["properties"] = properties
	if len(b.required) > 0 {
		own, _ := schema["required"].([]any)
		schema["required"] = union(own, b.required)
	}
	condition, err := json.Marshal(bare(taken))
	if err != nil { // it came as JSON
		return ""
	}
	return "The input must also fit this JSON Schema: " + words.Cut(string(condition), longestCondition)
}

// branches are those of a root, gathered.
type branches struct {
	root       map[string]any
	properties map[string][]any // of each name the schemas that differ
	required   []any            // whatever branch the input takes
	left       int              // how many more are looked at
}

// addAll adds the branches in a schema. always says that the input has to fit the schema itself.
func (b *branches) addAll(schema map[string]any, always bool) {
	for _, word := range choices {
		all, _ := schema[word].([]any)
		for _, one := range all {
			if branch, is := one.(map[string]any); is && word != "enum" {
				b.add(branch, always && word == "allOf")
			}
		}
	}
}

func (b *branches) add(branch map[string]any, always bool) {
	if b.left == 0 {
		return
	}
	b.left--
	if name, is := branch["$ref"].(string); is {
		b.add(b.named(name), always)
	}
	properties, _ := branch["properties"].(map[string]any)
	for name, schema := range properties {
		same := func(other any) bool { return reflect.DeepEqual(schema, other) }
		if !slices.ContainsFunc(b.properties[name], same) {
			b.properties[name] = append(b.properties[name], schema)
		}
	}
	if required, _ := branch["required"].([]any); always {
		b.required = union(b.required, required)
	}
	b.addAll(branch, always)
}

// named is the schema within the root that a reference leads to; nil if it leads elsewhere.
func (b *branches) named(reference string) map[string]any {
	path, within := strings.CutPrefix(reference, "#/")
	if !within {
		return nil
	}
	at := b.root
	for step := range strings.SplitSeq(path, "/") {
		at, _ = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)].(map[string]any)
	}
	return at
}

// union is a list with what it lacks of another.
func union(list, other []any) []any {
	all := slices.Clip(list)
	for _, one := range other {
		if name, is := one.(string); is && !slices.Contains(all, any(name)) {
			all = append(all, name)
		}
	}
	return all
}

// bare is a schema without its descriptions, which the properties at the root still have. A property
// that is called description is no text, and stays.
func bare(schema any) any {
	switch schema := schema.(type) {
	case map[string]any:
		rest := map[string]any{}
		for name, value := range schema {
			if _, text := value.(string); !text || name != "description" && name != "title" {
				rest[name] = bare(value)
			}
		}
		return rest
	case []any:
		rest := []any{}
		for _, one := range schema {
			rest = append(rest, bare(one))
		}
		return rest
	}
	return schema
}
