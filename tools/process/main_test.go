package process

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"pawl/internal/launch"
)

func TestMain(m *testing.M) {
	launch.Main()
	playAsked()
	goleak.VerifyTestMain(m)
}

// patience is long enough for a busy machine.
const patience = 45 * time.Second

func shellCommand(line string) Command { return (&Launcher{}).ShellCommand(line, "") }
