package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent/hook"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// Settings are the user's choices. An empty text means that nothing was chosen; a
// number that was not chosen is the design's, so that a chosen 0 is one.
type Settings struct {
	Model          string    `toml:"model"`
	PermissionMode string    `toml:"permission_mode"`
	Subagents      Subagents `toml:"subagents"`
	Tools          Tools     `toml:"tools"`
	Sandbox        Sandbox   `toml:"sandbox"`
	Fetch          Fetch     `toml:"fetch"`
	Limits         Limits    `toml:"limits"`
	Demo           Demo      `toml:"demo"`
	Screen         Screen    `toml:"screen"`

	Models map[string]Model  `toml:"models"` // by provider/name
	MCP    map[string]Server `toml:"mcp"`    // by name
	// Permissions are rules: they stand in the file alone, for a list of them fits no
	// variable.
	Permissions permission.Rules `toml:"permissions"`
	// Hooks are as they stand in the file; Programs are what they mean.
	Hooks    []Hook      `toml:"hooks"`
	Programs []hook.Spec `toml:"-"`
}

// Subagents bounds delegation.
type Subagents struct {
	MaxBackground         int      `toml:"max_background"`
	ForegroundWarning     Duration `toml:"foreground_warning"`
	MaxAutoResumes        int      `toml:"max_auto_resumes"`
	BackgroundPermissions string   `toml:"background_permissions"` // deny or ask
}

// Tools is about what the agents work with.
type Tools struct {
	// Containment is how the processes of a command are kept together: auto takes
	// the strongest of namespace, subreaper and group that is possible.
	Containment string `toml:"containment"`
	// Debuggable leaves Pawl's memory readable to debuggers, and so to commands that
	// no namespace and no sandbox keeps from it.
	Debuggable bool `toml:"debuggable"`
}

// Fetch is about the tool that reads the web.
type Fetch struct {
	// Allow names hosts, addresses and ranges that may be read although they are
	// not on the open internet: localhost, .corp.example, 10.0.0.0/8.
	Allow []string `toml:"allow"`
}

// Demo is about the scripted model.
type Demo struct {
	Pace string `toml:"pace"` // "1x" is made for watching, "0" is at once
}

// Duration is a time span written as Go writes it: "10m", "2s".
type Duration time.Duration

// UnmarshalText reads "10m".
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no time span: write it like 90s or 10m", text)
	}
	*d = Duration(span)
	return nil
}

// unitless refuses a number alone, which TOML reads as nanoseconds.
func (d Duration) unitless() error {
	if d > 0 && time.Duration(d) < time.Millisecond {
		return fmt.Errorf("%d: it has no unit: write it like \"30s\" or \"10m\"", int64(d))
	}
	return nil
}

// Error is a setting that cannot be used: one line that names it, where it
// stands and what it takes.
type Error struct {
	Where   string // a file or a variable
	Message string
}

func (e *Error) Error() string { return e.Where + ": " + e.Message }

// unchosen is what holds where the user chose nothing.
func unchosen() Settings {
	limits := lifecycle.DefaultLimits()
	return Settings{Subagents: Subagents{
		MaxBackground:     limits.Background,
		ForegroundWarning: Duration(limits.ForegroundWarning),
		MaxAutoResumes:    limits.AutoResumes,
	}}
}

// Load reads the user's settings from this file, if it is there, and from the
// environment, with those of trusted projects between them. An unreadable file is an
// error, never a reason for defaults.
func Load(path string, environ []string, between ...*Project) (Settings, error) {
	s := unchosen()
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return s, fmt.Errorf("read settings: %w", err)
	default:
		if err := decodeFile(path, string(text), &s); err != nil {
			return s, err
		}
		if err := s.check(path); err != nil {
			return s, findRows(string(text)).placed(path, err)
		}
		if err := checkModels(s.Models, path, findRows(string(text))); err != nil {
			return s, err
		}
		if s.Programs, err = HooksOf(path, string(text), s.Hooks, hook.User, ""); err != nil {
			return s, err
		}
	}
	for _, project := range between {
		s = project.Over(s)
	}
	if err := s.overlay(environ); err != nil {
		return s, err
	}
	return s, s.check(environment) // the file has passed
}

func decodeFile(path, text string, s *Settings) error {
	decoder := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields()
	err := decoder.Decode(s)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		row, _ := unknown.Errors[0].Position()
		return &Error{fmt.Sprintf("%s:%d", path, row), unknownSetting(unknown.Errors[0].Key())}
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		row, _ := wrong.Position()
		return &Error{fmt.Sprintf("%s:%d", path, row), misfit(wrong)}
	}
	if err != nil {
		return &Error{path, err.Error()}
	}
	return nil
}

// unknownSetting names a key that is none, and the nearest one.
func unknownSetting(key toml.Key) string {
	if len(key) > 2 && key[0] == "models" {
		last := key[len(key)-1]
		return fmt.Sprintf("unknown setting %q of models.%q; did you mean %q?", last, key[1], Nearest(last, modelKeys()))
	}
	name := strings.Join(key, ".")
	if len(key) > 2 && key[0] == "mcp" {
		return fmt.Sprintf("unknown setting %q; did you mean %q?", name, Nearest(name, serverSettings(key)))
	}
	if len(key) > 1 && key[0] == "hooks" {
		last := key[len(key)-1]
		return fmt.Sprintf("unknown setting %q of a hook; did you mean %q?", last, Nearest(last, hookKeys))
	}
	// The keys of models and of mcp are for the user to name.
	tables := []string{
		strings.Join(append([]string{"models"}, key[1:]...), "."), "mcp", "hooks",
		"permissions.deny", "permissions.ask", "permissions.allow", "sandbox.mode",
	}
	return fmt.Sprintf("unknown setting %q; did you mean %q?", name, Nearest(name, append(keys(), tables...)))
}

// check refuses values that mean nothing.
func (s Settings) check(where string) error {
	if s.PermissionMode != "" {
		if _, err := permission.ParseMode(s.PermissionMode); err != nil {
			return &Error{where, err.Error()}
		}
	}
	switch s.Subagents.BackgroundPermissions {
	case "", "deny", "ask":
	default:
		return &Error{where, fmt.Sprintf("subagents.background_permissions %q: it is deny or ask", s.Subagents.BackgroundPermissions)}
	}
	switch s.Tools.Containment {
	case "", "auto", "namespace", "subreaper", "group":
	default:
		return &Error{where, fmt.Sprintf("tools.containment %q: it is auto, namespace, subreaper or group", s.Tools.Containment)}
	}
	if n := s.Subagents.MaxBackground; n < 1 || n > 100 {
		return &Error{where, fmt.Sprintf("subagents.max_background %d: it is a number from 1 to 100", n)}
	}
	if n := s.Subagents.MaxAutoResumes; n < 0 {
		return &Error{where, fmt.Sprintf("subagents.max_auto_resumes %d: it is a number from 0 (never) on", n)}
	}
	if err := s.Subagents.ForegroundWarning.unitless(); err != nil {
		return &Error{where, "subagents.foreground_warning " + err.Error()}
	}
	if d := s.Subagents.ForegroundWarning; d <= 0 {
		return &Error{where, fmt.Sprintf("subagents.foreground_warning %s: it is a time span from now on, like 90s or 10m", time.Duration(d))}
	}
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if err := s.MCP[name].check(where, name); err != nil {
			return err
		}
	}
	if err := s.Sandbox.check(where); err != nil {
		return err
	}
	if err := s.Screen.check(where); err != nil {
		return err
	}
	return s.Limits.check(where)
}

// Slots are the limits of section 2 with the user's choices in them.
func (s Settings) Slots() lifecycle.Limits {
	limits := lifecycle.DefaultLimits()
	limits.Background = s.Subagents.MaxBackground
	limits.ForegroundWarning = time.Duration(s.Subagents.ForegroundWarning)
	limits.AutoResumes = s.Subagents.MaxAutoResumes
	return limits
}
