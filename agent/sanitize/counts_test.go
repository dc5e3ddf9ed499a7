package sanitize

import (
	"strings"
	"testing"

	"pawl/internal/counttest"
)

// What the sanitiser costs: see counttest. Text that is as it may be is handed back.
const (
	mostOfPlain   = 0 // allocations of a text in which nothing is taken away: 0
	mostOfHostile = 1 // of one of 500 bytes in which something is: 1
)

var (
	plainText   = strings.Repeat("The refund path looks the customer up twice, and reads a stale row.\n", 8)
	hostileText = strings.Repeat("The refund \x1b[31mpath\x1b[0m looks \u202ethe customer up twice\x07.\n", 10)
)

func TestCostOfCleaningAText(t *testing.T) {
	counttest.Allocations(t, "a plain text cleaned", mostOfPlain, 1, func() { Clean(plainText) })
	counttest.Allocations(t, "a hostile text cleaned", mostOfHostile, 1, func() { Clean(hostileText) })
}

// BenchmarkClean is half a kilobyte on its way to the screen: as most is, and with
// something to take away in each line.
func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{"plain": plainText, "hostile": hostileText} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(text)
			}
		})
	}
}
