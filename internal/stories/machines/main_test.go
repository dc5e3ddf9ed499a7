//go:build linux

package machines

import (
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, func() {}) }
