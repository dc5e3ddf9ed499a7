package exporttest

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

func EncodedBytes(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

func Parse(t testing.TB, b []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(b))
	var v any
	require.NoError(t, decoder.Decode(&v))
	require.False(t, decoder.More())
	return v
}

// Violations checks a value against a schema with a library that knows JSON Schema
// 2020-12.
func Violations(schema, value any) []string {
	encoded, err := json.Marshal(schema)
	if err != nil {
		return []string{err.Error()}
	}
	known, err := resolved(string(encoded))
	if err == nil {
		err = known.Validate(value)
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

// resolutions are kept: to resolve a schema takes longer than to hold a value against it.
var resolutions sync.Map

func resolved(schema string) (*jsonschema.Resolved, error) {
	if kept, ok := resolutions.Load(schema); ok {
		return kept.(*jsonschema.Resolved), nil
	}
	var known jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &known); err != nil {
		return nil, err
	}
	result, err := known.Resolve(nil)
	if err == nil {
		resolutions.Store(schema, result)
	}
	return result, err
}
