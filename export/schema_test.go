package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func TestExportsKeepToTheSchema(t *testing.T) {
	s := plot(t)
	schema := parse(t, []byte(Schema))
	for _, upto := range []lifecycle.Seq{0, 1, 50, s.upto()} {
		require.Empty(t, violations(schema, parse(t, s.export(FormatJSON, upto))), "at record %d", upto)
	}
	require.Empty(t, violations(schema, parse(t, hostile(t).export(FormatJSON, hostile(t).upto()))))
}

// Every event and a run with every field set are in the schema, field by field.
func TestSchemaKnowsEveryField(t *testing.T) {
	defs := parse(t, []byte(Schema)).(object)["$defs"].(object)
	whole := object{"$defs": defs}
	for _, name := range lifecycle.EventNames() {
		event, err := lifecycle.DecodeEvent(name, []byte("{}"))
		require.NoError(t, err)
		full := reflect.New(reflect.TypeOf(event)).Elem()
		fill(full)
		rec := lifecycle.Record{Seq: 1, Time: plotTime, Root: "s", Session: "s", Run: "r", Event: full.Interface().(lifecycle.Event)}
		whole["$ref"] = "#/$defs/record"
		require.Empty(t, violations(whole, parse(t, encodedBytes(t, rec))), name)
	}
	var run lifecycle.Run
	fill(reflect.ValueOf(&run).Elem())
	run.Notification.WithdrawnAt, run.Notification.WithdrawnBy = time.Time{}, ""
	whole["$ref"] = "#/$defs/run"
	value := parse(t, encodedBytes(t, run)).(object)
	require.Empty(t, violations(whole, value))
	for name := range defs["run"].(object)["properties"].(object) {
		require.Contains(t, value, name, "the schema has a field that a run has not")
	}
	whole["$ref"] = "#/$defs/view"
	for _, view := range []agent.View{
		agent.PlainView{}, agent.CommandView{Note: "x"}, agent.DiffView{New: true}, agent.ListingView{},
		agent.TodoView{Items: []agent.TodoItem{{}}}, agent.RunView{Session: "s", Run: "r"},
	} {
		require.Empty(t, violations(whole, parse(t, agent.EncodeView(view))))
	}
}

// The schema refuses what is not an export: it is no rubber stamp.
func TestSchemaRefuses(t *testing.T) {
	s := plot(t)
	out := string(s.export(FormatJSON, s.upto()))
	schema := parse(t, []byte(Schema))
	for name, swap := range map[string][2]string{
		"another format":           {`"format":"pawl-session"`, `"format":"pawl"`},
		"another version":          {`"version":1`, `"version":2`},
		"no totals":                {`"totals":`, `"total":`},
		"an unknown state":         {`"state":"completed_empty"`, `"state":"done"`},
		"an unknown event":         {`"event":"nudged"`, `"event":"poked"`},
		"an unknown field":         {`"tool_calls":5`, `"tool_calls":5,"calls":5`},
		"a field of another event": {`"data":{"position":1}`, `"data":{"position":1,"step":1}`},
		"data where none is":       {`"event":"nudged"`, `"event":"nudged","data":{}`},
		"a failure's kind":         {`"kind":"rate_limited"`, `"kind":"tired"`},
		"an unmarked notification": {`"source":"r-map"`, `"from":"r-map"`},
		"a time without a zone":    {`"time":"2026-03-01T12:00:00.25Z"`, `"time":"2026-03-01T12:00:00.25"`},
		"a negative count":         {`"position":1`, `"position":-1`},
	} {
		changed := strings.Replace(out, swap[0], swap[1], 1)
		require.NotEqual(t, out, changed, name)
		require.NotEmpty(t, violations(schema, parse(t, []byte(changed))), name)
	}
}

var plotTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// enums are values that a field of these types may have.
var enums = map[reflect.Type]string{
	reflect.TypeFor[lifecycle.State]():       "failed",
	reflect.TypeFor[lifecycle.Trigger]():     "user",
	reflect.TypeFor[lifecycle.Isolation]():   "worktree",
	reflect.TypeFor[lifecycle.ToolStatus]():  "ok",
	reflect.TypeFor[lifecycle.WarningKind](): "budget",
	reflect.TypeFor[lifecycle.FailureKind](): "tool",
	reflect.TypeFor[lifecycle.Consumer]():    "agent_stop",
	reflect.TypeFor[lifecycle.GrantScope]():  "once",
}

// fill sets every field there is, so that none is left out of the JSON.
func fill(v reflect.Value) {
	switch {
	case enums[v.Type()] != "":
		v.SetString(enums[v.Type()])
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(plotTime))
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes(agent.EncodeView(agent.PlainView{Text: "x"}))
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanFloat():
		v.SetFloat(0.5)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("fill: %s", v.Type()))
	}
}

func encodedBytes(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

func parse(t testing.TB, b []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(b))
	var v any
	require.NoError(t, decoder.Decode(&v))
	require.False(t, decoder.More())
	return v
}

// violations checks a value against a schema of the keywords that schema.json
// uses, and panics at any other: a stand-in for a library.
func violations(schema, value any) []string {
	return (&validator{root: schema.(object)}).check(schema, value, "")
}

type validator struct{ root object }

func (v *validator) check(schema, value any, at string) (bad []string) {
	if allowed, ok := schema.(bool); ok {
		if allowed {
			return nil
		}
		return []string{at + ": must not be here"}
	}
	s := schema.(object)
	for keyword, rule := range s {
		if problem := v.keyword(s, keyword, rule, value, at); problem != nil {
			bad = append(bad, problem...)
		}
	}
	return bad
}

func (v *validator) keyword(s object, keyword string, rule, value any, at string) []string {
	fail := func(holds bool) []string {
		if holds {
			return nil
		}
		return []string{fmt.Sprintf("%s: %.80v breaks %s %.80v", at, value, keyword, rule)}
	}
	fields, isObject := value.(object)
	items, isList := value.([]any)
	text, isText := value.(string)
	number, isNumber := value.(float64)
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description", "format", "then", "else":
	case "$ref":
		return v.check(v.root["$defs"].(object)[strings.TrimPrefix(rule.(string), "#/$defs/")], value, at)
	case "type":
		return fail(v.hasType(rule, value))
	case "const":
		return fail(reflect.DeepEqual(rule, value))
	case "enum":
		return fail(slices.ContainsFunc(rule.([]any), func(one any) bool { return reflect.DeepEqual(one, value) }))
	case "minimum":
		return fail(!isNumber || number >= rule.(float64))
	case "minLength":
		return fail(!isText || utf8.RuneCountInString(text) >= int(rule.(float64)))
	case "minItems":
		return fail(!isList || len(items) >= int(rule.(float64)))
	case "pattern":
		return fail(!isText || regexp.MustCompile(rule.(string)).MatchString(text))
	case "required":
		for _, name := range rule.([]any) {
			if _, has := fields[name.(string)]; isObject && !has {
				return []string{fmt.Sprintf("%s: lacks %s", at, name)}
			}
		}
	case "properties":
		return v.fields(rule.(object), fields, at)
	case "additionalProperties":
		for name := range fields {
			if _, known := s["properties"].(object)[name]; !known {
				return []string{fmt.Sprintf("%s: has %s", at, name)}
			}
		}
	case "items":
		var bad []string
		for i, item := range items {
			bad = append(bad, v.check(rule, item, fmt.Sprintf("%s/%d", at, i))...)
		}
		return bad
	default:
		return v.combination(s, keyword, rule, value, at)
	}
	return nil
}

func (v *validator) combination(s object, keyword string, rule, value any, at string) []string {
	switch keyword {
	case "not":
		if len(v.check(rule, value, at)) == 0 {
			return []string{at + ": is what it must not be"}
		}
	case "allOf":
		var bad []string
		for _, one := range rule.([]any) {
			bad = append(bad, v.check(one, value, at)...)
		}
		return bad
	case "oneOf":
		fits := 0
		var bad []string
		for _, one := range rule.([]any) {
			problems := v.check(one, value, at)
			if len(problems) == 0 {
				fits++
			}
			bad = append(bad, problems...)
		}
		if fits != 1 {
			return append(bad, fmt.Sprintf("%s: fits %d of the schemas", at, fits))
		}
	case "if":
		branch := "else"
		if len(v.check(rule, value, at)) == 0 {
			branch = "then"
		}
		if s[branch] != nil {
			return v.check(s[branch], value, at)
		}
	default:
		panic("the validator does not know the keyword " + keyword)
	}
	return nil
}

func (v *validator) fields(rules, fields object, at string) (bad []string) {
	for name, rule := range rules {
		if value, has := fields[name]; has {
			bad = append(bad, v.check(rule, value, at+"/"+name)...)
		}
	}
	return bad
}

func (v *validator) hasType(rule, value any) bool {
	if list, ok := rule.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return v.hasType(one, value) })
	}
	kind := "null"
	switch value := value.(type) {
	case object:
		kind = "object"
	case []any:
		kind = "array"
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
		if rule == "integer" && value == math.Trunc(value) {
			kind = "integer"
		}
	}
	return kind == rule
}
