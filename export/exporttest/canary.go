package exporttest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Canary is put behind texts and ids. It is no text that an id, a word or a model can have.
const Canary = " the canary sings"

// Singing puts the canary behind every string in a value. Whatever has a type in quiet
// stays: Pawl itself decides by it.
func Singing(v reflect.Value, quiet map[reflect.Type]string) {
	switch {
	case quiet[v.Type()] != "", v.Type() == reflect.TypeFor[time.Time]():
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		if v.Len() > 0 {
			v.SetBytes(singingJSON(v.Bytes()))
		}
	case v.Kind() == reflect.String:
		if v.String() != "" {
			v.SetString(v.String() + Canary)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		Singing(copied.Elem(), quiet)
		v.Set(copied)
	case v.Kind() == reflect.Slice:
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		for i := range copied.Len() {
			Singing(copied.Index(i), quiet)
		}
		if v.Len() > 0 {
			v.Set(copied)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			Singing(v.Field(i), quiet)
		}
	}
}

// singingJSON is singing for what is stored as JSON. Pawl decides by the fields that are
// named here.
func singingJSON(raw []byte) []byte {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return append(slices.Clone(raw), Canary...)
	}
	var walk func(value any, key string) any
	walk = func(value any, key string) any {
		switch v := value.(type) {
		case string:
			if slices.Contains([]string{"kind", "from", "status", "stop", "by", "data"}, strings.ToLower(key)) || v == "" {
				return v
			}
			return v + Canary
		case []any:
			for i := range v {
				v[i] = walk(v[i], key)
			}
		case map[string]any:
			for name := range v {
				v[name] = walk(v[name], name)
			}
		}
		return value
	}
	raw, err := json.Marshal(walk(value, ""))
	if err != nil {
		panic(err)
	}
	return raw
}
