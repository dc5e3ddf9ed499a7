package app

import (
	"testing"

	"go.uber.org/goleak"

	"pawl/internal/launch"
)

func TestMain(m *testing.M) {
	launch.Main()
	runPlaced()
	goleak.VerifyTestMain(m)
}
