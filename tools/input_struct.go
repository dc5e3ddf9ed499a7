package tools

import (
	"encoding/json"
	"reflect"
	"strings"

	"pawl/agent"
)

// decodeInput reads a model's arguments into a struct whose fields say what they
// take by their types alone; required names those that must be given. bad says
// that they do not fit, and fault is then the call's result. A tool that has
// bounds or choices to check uses newInput.
func decodeInput(raw json.RawMessage, into any, required ...string) (fault agent.Result, bad bool) {
	target := reflect.ValueOf(into).Elem()
	in := input[map[string]any]{schema: schemaOf(target.Type())}
	in.schema.Required = required
	for _, name := range required {
		if field := in.schema.Properties[name]; field.Type == "string" {
			field.MinLength = 1
			in.schema.Properties[name] = field
		}
	}
	args, err := in.decode(raw)
	if err == nil {
		var clean []byte
		if clean, err = json.Marshal(args); err == nil {
			err = json.Unmarshal(clean, into)
		}
	}
	if err != nil {
		return agent.Fault("The input does not fit. " + strings.TrimPrefix(err.Error(), ": ")), true
	}
	return agent.Result{}, false
}

// schemaOf reads the schema off a type: the JSON names of its fields and what
// they hold.
func schemaOf(t reflect.Type) schema {
	switch t.Kind() {
	case reflect.Struct:
		s := schema{Type: "object", Properties: map[string]schema{}}
		for field := range t.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			s.Properties[name] = schemaOf(field.Type)
		}
		return s
	case reflect.Slice:
		items := schemaOf(t.Elem())
		return schema{Type: "array", Items: &items}
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.String:
		return schema{Type: "string"}
	case reflect.Bool:
		return schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return schema{Type: "integer"}
	}
	panic("tools: no schema for " + t.String())
}
