//go:build unix

package counterparts

import (
	"testing"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, uninstall) }
