package process

import (
	"errors"
	"os/exec"

	"pawl/internal/launch"
)

// helperSetup says how a program is kept together, and what it is kept from.
type helperSetup struct {
	mode        launch.Mode
	confinement *launch.Confinement // nil: from nothing
}

// intoHelper makes a command that of the helper.
func (m helperSetup) intoHelper(cmd *exec.Cmd, arguments []string) {
	if !launch.Ready() {
		cmd.Err = errors.New("this program has no helper for commands: its main must call launch.Main first")
	}
	cmd.Args = arguments
	cmd.SysProcAttr = m.attributes()
	path, err := helperPath()
	if err != nil && cmd.Err == nil {
		cmd.Err = err
	}
	cmd.Path = path
}
