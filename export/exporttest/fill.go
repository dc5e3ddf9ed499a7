package exporttest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

var PlotTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Enums are values that a field of these types may have.
var Enums = map[reflect.Type]string{
	reflect.TypeFor[lifecycle.State]():        "failed",
	reflect.TypeFor[lifecycle.Trigger]():      "user",
	reflect.TypeFor[lifecycle.Isolation]():    "worktree",
	reflect.TypeFor[lifecycle.Kind]():         "shell",
	reflect.TypeFor[lifecycle.ToolStatus]():   "ok",
	reflect.TypeFor[lifecycle.WarningKind]():  "budget",
	reflect.TypeFor[lifecycle.FailureKind]():  "tool",
	reflect.TypeFor[lifecycle.Consumer]():     "agent_stop",
	reflect.TypeFor[lifecycle.GrantScope]():   "once",
	reflect.TypeFor[lifecycle.FileKind]():     "file",
	reflect.TypeFor[lifecycle.ChangeSource](): "tool",
}

// Fill sets every field there is, so that none is left out of the JSON.
func Fill(v reflect.Value) {
	switch {
	case Enums[v.Type()] != "":
		v.SetString(Enums[v.Type()])
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(PlotTime))
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes(agent.EncodeView(agent.PlainView{Text: "x"}))
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(0.5)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		Fill(v.Elem())
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		Fill(v.Index(0))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Fill(v.Field(i))
			}
		}
	default:
		panic(fmt.Sprintf("fill: %s", v.Type()))
	}
}
