//go:build unix

package files

import (
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, func() {}) }
