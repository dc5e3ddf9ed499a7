package process

import (
	"errors"
	"os/exec"
	"runtime"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// helperSetup says how a program is kept together, and what it is kept from.
type helperSetup struct {
	mode        launch.Mode
	confinement *launch.Confinement // nil: from nothing
	profile     string              // the same for macOS, in the place of confinement; empty: none
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

// confinedBy adds what a program is kept from, by the means of this system. Elsewhere than on Linux
// the helper knows none: macOS has a profile, and where nothing is possible nothing is asked for.
func (m helperSetup) confinedBy(c *launch.Confinement) (helperSetup, error) {
	switch {
	case c == nil || runtime.GOOS == "linux":
		m.confinement = c
	case c.Landlock || c.NoNetwork:
		var err error
		m.profile, err = sandbox.Profile(c)
		return m, err
	}
	return m, nil
}
