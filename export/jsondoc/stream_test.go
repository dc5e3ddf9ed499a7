package jsondoc

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// A program that follows the stream from the first record has the export's records.
func TestStreamIsTheExportsRecords(t *testing.T) {
	s := exporttest.Plot(t)
	s.Secrets = []string{"correct-horse-battery"}
	s.Add("s-map", "r-map2", lifecycle.Text{Text: "it is correct-hor"}, lifecycle.Text{Text: "se-battery"})
	out := printed(s, s.Upto())
	lines := NewLines(mask.New(s.Secrets))
	var stream bytes.Buffer
	for _, rec := range s.Records {
		line, err := lines.Line(rec)
		require.NoError(t, err)
		require.NotContains(t, string(line), "\n")
		require.Contains(t, string(out), "\n"+string(line))
		stream.Write(line)
		stream.WriteByte('\n')
	}
	require.NotContains(t, stream.String(), "battery")
	exporttest.Golden(t, "stream.jsonl", stream.Bytes())

	alone, err := Line(s.Records[0])
	require.NoError(t, err)
	var back lifecycle.Record
	require.NoError(t, json.Unmarshal(alone, &back))
	require.Equal(t, s.Records[0], back)
}
