package main

import (
	"pawl/agent/settings"
	"pawl/tools"
)

// sandboxOf is what the user's settings keep commands from.
func sandboxOf(s settings.Settings, f settings.Folders) tools.Sandbox {
	return tools.Sandbox{
		Mode: tools.SandboxMode(s.Sandbox.Mode), Write: s.Sandbox.Paths(),
		Own: []string{f.Config, f.State, f.Data},
	}
}
