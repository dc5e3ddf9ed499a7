package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACountHasTheFormOfItsNumber(t *testing.T) {
	for _, c := range []struct {
		n                    int
		thing, plain, groups string
	}{
		{0, "line", "0 lines", "0 lines"},
		{1, "line", "1 line", "1 line"},
		{1200, "line", "1200 lines", "1,200 lines"},
		{2, "MCP server", "2 MCP servers", "2 MCP servers"},
		{3, "match", "3 matches", "3 matches"},
		{1, "process", "1 process", "1 process"},
		{2, "process", "2 processes", "2 processes"},
		{2, "entry", "2 entries", "2 entries"},
		{2, "day", "2 days", "2 days"},
	} {
		require.Equal(t, c.plain, Count(c.n, c.thing))
		require.Equal(t, c.groups, CountGrouped(c.n, c.thing))
	}
	require.Equal(t, []string{"0 runs go on", "1 run goes on", "1200 runs go on"},
		[]string{CountOf(0, "run goes on", "runs go on"), CountOf(1, "run goes on", "runs go on"), CountOf(1200, "run goes on", "runs go on")})
}

func TestThousandsAreGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 10_000: "10,000", 1_234_567: "1,234,567", -999: "-999", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		require.Equal(t, want, Grouped(n))
	}
}

func TestASizeHasOneDecimalFromOneKilobyteOn(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1 << 10: "1.0 KB", 3 << 9: "1.5 KB", 1<<20 - 1: "1024.0 KB", 10 << 20: "10.0 MB", 5 << 29: "2.5 GB", 1 << 42: "4096.0 GB",
	} {
		require.Equal(t, want, Size(bytes))
	}
}

func TestALineBreakAtTheEndBeginsNoLine(t *testing.T) {
	for text, want := range map[string]int{"": 1, "\n": 1, "a": 1, "a\n": 1, "a\nb": 2, "a\nb\n": 2, "a\n\n": 2} {
		require.Equal(t, want, Lines(text), "%q", text)
	}
}
