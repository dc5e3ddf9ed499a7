package completion

import (
	"fmt"
	"testing"
)

func BenchmarkFilesNarrowed(b *testing.B) {
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("internal/package%d/folder%d/file_%d.go", i%100, i%1000, i))
	}
	for b.Loop() {
		fitting(names, "pkg12fld")
	}
}
