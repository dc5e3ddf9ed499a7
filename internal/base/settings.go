package base

import (
	"cmp"
	"errors"
	"slices"

	"pawl/agent/hook"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/tools"
	"pawl/tools/process/sandbox"
	"pawl/tools/web"
)

// LoadSettings reads the user's settings, and says all that is wrong with them: what
// the settings know themselves, and what only those know who use them.
func LoadSettings(file string, environ []string) (settings.Settings, script.Pace, error) {
	s, err := settings.Load(file, environ)
	pace, slow := script.ParsePace(cmp.Or(s.Demo.Pace, "1x"))
	if slow != nil {
		where := file
		if models.Lookup(environ)("PAWL_DEMO_PACE") != "" {
			where = "PAWL_DEMO_PACE"
		}
		slow = &settings.Error{Where: where, Message: "demo.pace: " + slow.Error()}
	}
	return s, pace, settings.All(err, slow, checkFetch(s, file, environ), models.CheckTable(s.Models), CheckHooks(s.Programs))
}

// AsUsage makes a mistake in the settings one of usage.
func AsUsage(err error) error {
	if wrong := (*settings.Error)(nil); errors.As(err, &wrong) {
		return host.Usage(err.Error())
	}
	return err
}

// NewWeb is the way to the network, and to what of its inside the user allows.
func NewWeb(allow []string) (*web.Client, error) {
	return web.New(allow, "Pawl/"+Release())
}

// checkFetch refuses what fetch could never reach, by where the user wrote it.
func checkFetch(s settings.Settings, file string, environ []string) error {
	if models.Lookup(environ)("PAWL_FETCH_ALLOW") != "" {
		file = "PAWL_FETCH_ALLOW"
	}
	var found []error
	for _, one := range s.Fetch.Allow {
		if _, err := NewWeb([]string{one}); err != nil {
			found = append(found, &settings.Error{Where: file, Message: "fetch.allow: " + err.Error()})
		}
	}
	return settings.All(found...)
}

// CheckHooks refuses hooks about tools that there are not.
func CheckHooks(all []hook.Spec) error {
	names := slices.Concat(tools.WorkingNames(), []string{"shell_output", "shell_kill"}, tools.DelegationNames())
	var found []error
	for _, spec := range all {
		if err := spec.Match.Check(spec.Event, names); err != nil {
			found = append(found, &settings.Error{Where: spec.Where, Message: "hook: " + err.Error()})
		}
	}
	return settings.All(found...)
}

// FindTypes reads the subagent types that there are in this folder.
func (b *Base) FindTypes() types.Found {
	return types.Load(types.Options{
		Config: b.Folders.Config, Folder: b.World.Folder,
		Tools: tools.WorkingNames(), Delegation: tools.DelegationNames(),
		CheckModel: b.Models.Check, ClaudeModel: b.Models.Claude,
	})
}

// Remark is a remark with its file as people write it.
func Remark(r types.Remark) string { return ShortPath(r.Where) + ": " + r.Text }

// Sandbox is what the user's settings keep commands from.
func Sandbox(s settings.Settings, f settings.Folders) sandbox.Policy {
	return sandbox.Policy{
		Mode: sandbox.Mode(s.Sandbox.Mode), Write: s.Sandbox.Paths(),
		Own: []string{f.Config, f.State, f.Data},
	}
}
