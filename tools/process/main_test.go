package process

import (
	"testing"

	"go.uber.org/goleak"

	"pawl/internal/launch"
)

func TestMain(m *testing.M) {
	launch.Main()
	playAsked()
	goleak.VerifyTestMain(m)
}

func shellCommand(line string) Command { return (&Launcher{}).ShellCommand(line, "") }
