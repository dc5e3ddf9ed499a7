package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/export/verify"
)

// A hundred faults are told, each in a line of its own that does nothing to a terminal.
func TestAVerdictIsToldInLines(t *testing.T) {
	v := verify.Verdict{Records: 1234, Runs: 1}
	for n := range 150 {
		v.Faults = append(v.Faults, verify.Fault{Promise: verify.Promises()[1], Run: "r-1\x1b[2J", Name: "P1", Message: fmt.Sprintf("wrong\n%d", n)})
	}
	v.More = 5000
	var out strings.Builder
	require.NoError(t, printVerdict(&out, mask.Mask{}, "x.json", v))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 102)
	require.Equal(t, "x.json: 1,234 records, 1 run: 5,150 faults", lines[0])
	require.Equal(t, "2 one end · run P1 (r-1␛[2J) · wrong 0", lines[1])
	require.Equal(t, "and 5,050 more", lines[101])
}
