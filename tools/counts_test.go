package tools

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/counttest"
)

// What the tools cost before they work: see counttest.
const (
	mostOfAKit    = 890 // allocations of a parent's tools with their schemas, made anew for a run: 712
	mostOfACall   = 53  // of the arguments of one call, held against their schema: 42
	mostOfAMisfit = 93  // and where they do not fit: 74
)

// kitOf makes all tools of a parent.
func kitOf() []agent.Tool { return append(Working(Equipment{}), Delegation(nil, nil, Places{})...) }

type counted struct {
	Path  string `json:"path"`
	Limit int    `json:"limit"`
}

var countedInput = newInput[counted]("read", `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"]}`)

func TestCostOfAKit(t *testing.T) {
	counttest.Allocations(t, "a parent's tools", mostOfAKit, 1, func() { kitOf() })
}

func TestCostOfACallsArguments(t *testing.T) {
	fits, misfits := json.RawMessage(`{"path":"refund.go","limit":200}`), json.RawMessage(`{"file":"refund.go","limit":"two"}`)
	counttest.Allocations(t, "arguments that fit", mostOfACall, 1, func() {
		_, err := countedInput.decode(fits)
		require.NoError(t, err)
	})
	counttest.Allocations(t, "arguments that do not fit", mostOfAMisfit, 1, func() {
		_, err := countedInput.decode(misfits)
		require.Error(t, err)
	})
}

// BenchmarkKit is all tools of a parent with their schemas, as each run gets them anew.
func BenchmarkKit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		kitOf()
	}
}

// BenchmarkArguments is the arguments of one call, held against their schema.
func BenchmarkArguments(b *testing.B) {
	raw := json.RawMessage(`{"path":"refund.go","limit":200}`)
	b.ReportAllocs()
	for b.Loop() {
		_, err := countedInput.decode(raw)
		require.NoError(b, err)
	}
}
