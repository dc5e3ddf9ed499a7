package protection

import (
	"context"
	"runtime"
	"strings"

	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/guard"
	"pawl/tools/process"
	"pawl/tools/process/sandbox"
)

// Protection describes one means of protection: which is in force, why not a stronger one (empty
// if there is none), and what it does not cover.
type Protection struct {
	Means      string
	Why        string
	NotCovered []string
	Broken     bool // nothing works at all, and Why says why
}

// Front reports on the process at the terminal.
func Front() Protection {
	return Protection{
		Means:      "the process that you start lends the terminal to the session's, and puts it right whatever ends either",
		NotCovered: []string{"when both are killed (SIGKILL) at once, the terminal stays as the screen had it: type reset"},
	}
}

// Guard reports on the process around whatever drives a session.
func Guard() Protection {
	if guard.Own() == guard.RoleUnguarded {
		return Protection{
			Means: "none", Why: guard.Problem(),
			NotCovered: []string{"when Pawl is killed (SIGKILL), nothing says what ended it or ends what has left its command"},
		}
	}
	if runtime.GOOS != "linux" {
		return Protection{
			Means:      "a parent process that says what has ended Pawl, whatever that was",
			NotCovered: []string{"this system does not hand over orphaned processes: what has left its process group is not ended with Pawl"},
		}
	}
	return Protection{Means: "a parent process that ends what is left of Pawl, whatever ends it, and says what has"}
}

// Launcher reports on the processes that tool calls start.
func Launcher(ctx context.Context, wanted string) Protection {
	report := process.CheckContainment(ctx, process.Containment(wanted))
	if report.Err != nil {
		return Protection{Means: "none", Why: report.Err.Error(), Broken: true}
	}
	means := map[process.Containment]string{
		process.ContainNamespace: "a PID namespace for each command (namespace)",
		process.ContainSubreaper: "a helper for each command that collects its orphans (subreaper)",
		process.ContainGroup:     "a process group for each command, and a mark in its environment (group)",
	}
	return Protection{Means: means[report.Mode], Why: strings.Join(report.Why, "; "), NotCovered: report.Gaps}
}

// Weakness is the screen's line about protection that is weaker than it could be; empty if it is
// not. unasked says why permissions.sandboxed = "allow", which was chosen, is not in force.
func Weakness(guard, launcher, sandbox Protection, unasked string) string {
	const more = " · pawl doctor says what that leaves out"
	switch {
	case launcher.Broken:
		return "tools cannot start programs here · pawl doctor says why"
	case sandbox.Broken:
		return "no command can be started in a sandbox here · pawl doctor says why"
	case sandbox.Why != "":
		return "commands run without a sandbox" + more
	case launcher.Why != "":
		return "tools run without a process namespace" + more
	case guard.Why != "":
		return "Pawl runs without its guard" + more
	case unasked != "":
		return `every command asks, although permissions.sandboxed is "allow" · pawl doctor says what is missing`
	}
	return ""
}

// Unasked says why commands do not run without a question in a folder although the user's settings
// allow it; nil where they do, or were not to.
func Unasked(ctx context.Context, s settings.Settings, policy sandbox.Policy, folder string) error {
	if s.Permissions.Sandboxed != permission.SandboxedAllow {
		return nil
	}
	return process.CheckClosed(ctx, process.Containment(s.Tools.Containment), policy, folder)
}

// Sandbox reports on what commands are kept from.
func Sandbox(ctx context.Context, wanted string, s sandbox.Policy) Protection {
	report := process.CheckSandbox(ctx, process.Containment(wanted), s)
	if report.Err != nil {
		return Protection{Means: "none", Why: report.Err.Error(), Broken: true}
	}
	return Protection{Means: string(report.Mode), Why: report.Why, NotCovered: report.Gaps}
}
