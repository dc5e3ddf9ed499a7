//go:build unix

package clipboard

import (
	"testing"

	"go.uber.org/goleak"

	"pawl/internal/launch"
)

// TestMain lets this test binary be the helper around what the launcher starts.
func TestMain(m *testing.M) {
	launch.Main()
	goleak.VerifyTestMain(m)
}
