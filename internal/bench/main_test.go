package bench

import (
	"os"
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, func() { printAims(os.Stdout) }) }
