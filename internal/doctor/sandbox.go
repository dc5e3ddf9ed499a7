package doctor

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

	"pawl/agent/permission"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/tools/process"
)

// sandboxValue is the sandbox as --json prints it.
type sandboxValue struct {
	Mode     string `json:"mode"`
	InForce  bool   `json:"in_force"`
	Landlock int    `json:"landlock"`
	ReadOnly bool   `json:"read_only"` // git's settings and hooks, and Pawl's own files
	Network  string `json:"network"`   // open, own, none
}

func (e *Examination) examineSandbox(ctx context.Context) {
	report := process.CheckSandbox(ctx, process.Containment(e.settings.Tools.Containment), base.Sandbox(e.settings, e.folders))
	found := Finding{
		Name: "commands", Level: levelOK,
		Value: sandboxValue{string(report.Mode), report.InForce, report.Landlock, report.Frozen, string(report.Network)},
	}
	switch {
	case report.Err != nil:
		found.Level, found.Says = levelProblem, "no command can be started: "+report.Err.Error()
		found.Do = "change the setting that is named: until then the shell tool gives this line"
	case !report.InForce:
		found.Level, found.Says = levelNote, fmt.Sprintf("no sandbox (%s): %s", report.Mode, report.Why)
		found.Do = `read what is asked before you allow it; permission_mode = "plan" runs none`
	case report.Seatbelt:
		found.Says = fmt.Sprintf("in a sandbox (%s), by Seatbelt, which Pawl's makers have not tried on macOS themselves", report.Mode)
	default:
		found.Says = fmt.Sprintf("in a sandbox (%s), by Landlock version %d", report.Mode, report.Landlock)
	}
	for _, covered := range report.Covers {
		found.More = append(found.More, "covered: "+covered)
	}
	for _, gap := range report.Gaps {
		found.More = append(found.More, "not covered: "+gap)
	}
	for _, path := range e.settings.Sandbox.Paths() {
		if !system.Exists(path) {
			found.Do = "make the folder, or take it out of sandbox.write"
			if found.Level == levelOK {
				found.Level = levelNote
			}
			found.More = append(found.More, "sandbox.write: "+base.ShortPath(path)+" is not there, and a command cannot make it")
		}
	}
	if home := filepath.Clean(xdg.Home); report.InForce && (e.world.Folder == home || e.world.Folder == "/") {
		found.Level = levelNote
		found.Do = "start Pawl in the folder of a project: here a command may write everywhere in " + base.ShortPath(e.world.Folder)
		found.Next = found.Do
	}
	if e.settings.PermissionMode == "bypass" && !report.InForce {
		found.Do = "permission_mode is bypass, which asks for nothing: choose default unless this machine may be broken"
	}
	e.add("Sandbox", found, e.unasked(ctx))
}

// unasked says whether commands that no rule speaks about run without a question, and what that
// lacks.
func (e *Examination) unasked(ctx context.Context) Finding {
	missing := process.CheckClosed(ctx, process.Containment(e.settings.Tools.Containment), base.Sandbox(e.settings, e.folders), e.world.Folder)
	chosen := e.settings.Permissions.Sandboxed == permission.SandboxedAllow
	found := Finding{Name: "unasked", Level: levelInfo, Value: unaskedValue{Chosen: chosen, Whole: missing == nil}}
	switch {
	case missing != nil && chosen:
		found.Level, found.Says = levelNote, `every command asks: permissions.sandboxed = "allow" is not in force, because the sandbox is not whole: `+missing.Error()
	case missing != nil:
		found.Says = "every command that no rule allows asks; the sandbox is not whole enough for others: " + missing.Error()
	case chosen:
		found.Level, found.Says = levelOK, "the sandbox is whole: where the folder is trusted, commands that no rule speaks about run in it without a question, without a network, and see no keys"
	default:
		found.Says = `every command that no rule allows asks; the sandbox is whole: with permissions.sandboxed = "allow" they would run in it without a question`
	}
	return found
}

// unaskedValue is what --json prints of it.
type unaskedValue struct {
	Chosen bool `json:"chosen"`
	Whole  bool `json:"whole"`
}
