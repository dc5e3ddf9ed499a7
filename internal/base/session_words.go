package base

import (
	"fmt"
	"path/filepath"

	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/lifecycle"
	"pawl/tools"
)

// Remark is a remark with its file as people write it.
func Remark(r types.Remark) string { return ShortPath(r.Where) + ": " + r.Text }

// InUse says that some process drives a session now: 0 is one that has not said
// which it is.
func InUse(pid int) string {
	if pid == 0 {
		return "in use"
	}
	return fmt.Sprintf("in use by process %d", pid)
}

// OutputsOf is the folder of what was too long for a session's models. It is gone
// when the session is.
func OutputsOf(b *Base, root lifecycle.SessionID) string {
	return filepath.Join(b.Folders.Outputs(), string(root))
}

// Sandbox is what the user's settings keep commands from.
func Sandbox(s settings.Settings, f settings.Folders) tools.Sandbox {
	return tools.Sandbox{
		Mode: tools.SandboxMode(s.Sandbox.Mode), Write: s.Sandbox.Paths(),
		Own: []string{f.Config, f.State, f.Data},
	}
}
