package exporttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/lifecycle"
)

// Read is as much of an exported JSON document as tests look at.
func Read(t testing.TB, document []byte) (read struct {
	Runs     []lifecycle.Run    `json:"runs"`
	Records  []lifecycle.Record `json:"records"`
	Sessions []struct {
		Transcript []book.Message `json:"transcript"`
	} `json:"sessions"`
	Totals book.Totals `json:"totals"`
},
) {
	t.Helper()
	require.NoError(t, json.Unmarshal(document, &read))
	return read
}
