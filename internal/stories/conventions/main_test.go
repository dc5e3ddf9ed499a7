//go:build unix

package conventions

import (
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, func() {}) }
