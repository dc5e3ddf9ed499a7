package base

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/keys"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/tools"
	"pawl/tools/process/sandbox"
	"pawl/tools/web"
)

// LoadSettings reads the user's settings and reports all that is wrong with them, including what
// only the packages that use them can tell.
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
	return s, pace, settings.All(err, slow, checkFetch(s, file, environ), models.CheckTable(s.Models, s.Providers), CheckHooks(s.Programs))
}

// AsUsage turns an error in the settings into a usage error.
func AsUsage(err error) error {
	if _, is := errors.AsType[*settings.Error](err); is {
		return system.Usage(err.Error())
	}
	return err
}

// NewWeb returns access to the web, and to those internal addresses that the user allows.
func NewWeb(allow []string) (*web.Client, error) {
	return web.New(allow, "Pawl/"+Release())
}

// checkFetch refuses addresses that fetch could never reach, naming where the user wrote them.
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

// CheckHooks refuses hooks for tools that do not exist.
func CheckHooks(all []hook.Spec) error {
	names := slices.Concat(tools.WorkingNames(), []string{"shell_output", "shell_kill", tools.SearchName}, tools.DelegationNames())
	var found []error
	for _, spec := range all {
		if err := spec.Match.Check(spec.Event, names); err != nil {
			found = append(found, &settings.Error{Where: spec.Where, Message: "hook: " + err.Error()})
		}
	}
	return settings.All(found...)
}

// FindTypes reads the subagent types of the user and of this folder.
func (b *Base) FindTypes() types.Found {
	return types.Load(types.Options{
		Config: b.Folders.Config, Folder: b.World.Folder,
		Tools: append(tools.WorkingNames(), agent.WebSearchTool), Delegation: tools.DelegationNames(),
		CheckModel: b.Models.Check, ClaudeModel: b.Models.Claude,
	})
}

// Remark writes a remark with the path of its file.
func Remark(r types.Remark) string { return ShortPath(r.Where) + ": " + r.Text }

// Sandbox returns the sandbox that the user's settings ask for.
func Sandbox(s settings.Settings, f settings.Folders) sandbox.Policy {
	copies, _ := filepath.Glob(f.Database() + ".schema-*") // from before updates
	return sandbox.Policy{
		Mode: sandbox.Mode(s.Sandbox.Mode), Write: s.Sandbox.Paths(),
		Own:  []string{f.Config, f.State, f.Data},
		Keys: []string{keys.File(f.Data)},
		Hide: append(copies, f.Config, f.State, f.Database(), f.Database()+"-wal", f.Files(), f.Server()),
	}
}
