//go:build linux

package orders

import (
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, nil) }
