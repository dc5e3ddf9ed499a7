package mask

import (
	"strings"
	"testing"

	"pawl/internal/counttest"
)

// What hiding secrets costs: see counttest. A text without any is handed back.
const (
	mostOfIdle   = 0  // allocations of a text of 440 bytes without a secret: 0
	mostOfSecret = 22 // of one with a secret: 18, and 8 without the race detector
)

var (
	idleText   = strings.Repeat("The refund path looks the customer up twice, and the second time it reads a stale row.\n", 5)
	secretText = idleText + "token=sk-ant-REDACTED\n"
)

func TestCostOfMaskingAText(t *testing.T) {
	m := New([]string{"a-value-of-the-environment"})
	counttest.Allocations(t, "a text without a secret", mostOfIdle, 1, func() { m.Text(idleText) })
	counttest.Allocations(t, "a text with a secret", mostOfSecret, 1, func() { m.Text(secretText) })
}

// BenchmarkText is half a kilobyte on its way out of Pawl: as most is, and with a secret.
func BenchmarkText(b *testing.B) {
	m := New([]string{"a-value-of-the-environment"})
	for name, text := range map[string]string{"idle": idleText, "secret": secretText} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.Text(text)
			}
		})
	}
}
