package settings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pawl/internal/words"
)

// variables are the settings that an environment variable can set: PAWL_ and the key in
// capitals, with underscores for dots.
func (s *Settings) variables() map[string]func(string) error {
	text := func(to *string) func(string) error {
		return func(v string) error { *to = v; return nil }
	}
	list := func(to *[]string) func(string) error {
		return func(v string) error {
			*to = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
			return nil
		}
	}
	number := func(to *int) func(string) error { return parsed(to, strconv.Atoi, "is not a whole number") }
	flag := func(to *bool) func(string) error { return parsed(to, strconv.ParseBool, "is neither true nor false") }
	money := func(to *float64) func(string) error {
		parse := func(v string) (float64, error) { return strconv.ParseFloat(v, 64) }
		return parsed(to, parse, "is not an amount in US dollars, such as 2.50")
	}
	return map[string]func(string) error{
		"model":                            text(&s.Model),
		"effort":                           text(&s.Effort),
		"fallback":                         text(&s.Fallback),
		"permission_mode":                  text(&s.PermissionMode),
		"on_hangup":                        text(&s.OnHangup),
		"subagents.max_background":         number(&s.Subagents.MaxBackground),
		"subagents.foreground_warning":     func(v string) error { return s.Subagents.ForegroundWarning.UnmarshalText([]byte(v)) },
		"subagents.max_auto_resumes":       number(&s.Subagents.MaxAutoResumes),
		"subagents.background_permissions": text(&s.Subagents.BackgroundPermissions),
		"permissions.sandboxed":            text(&s.Permissions.Sandboxed),
		"tools.containment":                text(&s.Tools.Containment),
		"tools.search":                     text(&s.Tools.Search),
		"tools.debuggable":                 flag(&s.Tools.Debuggable),
		"sandbox":                          text(&s.Sandbox.Mode),
		"sandbox.write":                    func(v string) error { s.Sandbox.Write = filepath.SplitList(v); return nil },
		"fetch.allow":                      list(&s.Fetch.Allow),
		"limits.max_cost":                  money(&s.Limits.MaxCost),
		"limits.day_max_cost":              money(&s.Limits.DayMaxCost),
		"limits.max_tokens":                number(&s.Limits.MaxTokens),
		"limits.run_max_cost":              money(&s.Limits.RunMaxCost),
		"limits.run_max_tokens":            number(&s.Limits.RunMaxTokens),
		"limits.max_steps":                 number(&s.Limits.MaxSteps),
		"limits.max_remote":                number(&s.Limits.MaxRemote),
		"demo.pace":                        text(&s.Demo.Pace),
		"screen.theme":                     text(&s.Screen.Theme),
		"screen.motion":                    text(&s.Screen.Motion),
		"screen.notify":                    text(&s.Screen.Notify),
		"screen.split":                     text(&s.Screen.Split),
		"worktree.base":                    text(&s.Worktree.Base),
		"worktree.setup":                   text(&s.Worktree.Setup),
		"update.address":                   text(&s.Update.Address),
		"remote.nats":                      text(&s.Remote.NATS),
		"remote.creds":                     text(&s.Remote.Creds),
		"remote.ca":                        text(&s.Remote.CA),
		"remote.keys":                      text(&s.Remote.Keys),
		"remote.workers":                   text(&s.Remote.Workers),
	}
}

// parsed sets a value from a variable; wrong says what is not right about one that cannot be parsed.
func parsed[T any](to *T, parse func(string) (T, error), wrong string) func(string) error {
	return func(v string) error {
		value, err := parse(v)
		if err != nil {
			return fmt.Errorf("%q %s", v, wrong)
		}
		*to = value
		return nil
	}
}

// keys lists the dotted names of these settings, sorted.
func keys() []string {
	return slices.Sorted(maps.Keys(new(Settings).variables()))
}

// Variable is an environment variable and the dotted name of the setting that it sets.
type Variable struct{ Variable, Setting string }

// Variables lists them by name.
func Variables() []Variable {
	var all []Variable
	for _, key := range keys() {
		all = append(all, Variable{variableOf(key), key})
	}
	return all
}

// variableOf is the variable that sets a setting.
func variableOf(key string) string {
	return "PAWL_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// reserved are Pawl's variables that are not settings: its folder, and those that programs
// started by Pawl find, other Pawls included.
var reserved = map[string]bool{"PAWL_HOME": true, "PAWL_RUN": true, "PAWL_COMMAND": true}

// environment is the Where of errors in variables.
const environment = "environment"

// applyVariables applies the PAWL_… variables. The error lists those that cannot be used.
func (s *Settings) applyVariables(environ []string) error {
	var found []error
	byVariable := map[string]func(string) error{}
	for key, set := range s.variables() {
		byVariable[variableOf(key)] = set
	}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "PAWL_") || reserved[name] {
			continue
		}
		set, known := byVariable[name]
		if !known {
			found = append(found, &Error{environment, fmt.Sprintf("unknown variable %s%s", name, words.DidYouMean(name, slices.Collect(maps.Keys(byVariable))))})
			continue
		}
		if err := set(value); err != nil {
			found = append(found, &Error{environment, fmt.Sprintf("%s: %v", name, err)})
		}
	}
	return All(found...)
}
