package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent/hook"
	"pawl/agent/permission"
	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Settings are the user's choices. An empty string means that nothing was chosen. Numbers
// start with their defaults, so that a chosen 0 counts.
type Settings struct {
	Model          string    `toml:"model"`
	Effort         string    `toml:"effort"`   // low, medium, high or max; empty: the model's own
	Fallback       string    `toml:"fallback"` // the model that goes on where a limit of the chosen one lasts; empty: none
	PermissionMode string    `toml:"permission_mode"`
	OnHangup       string    `toml:"on_hangup"` // detach or stop: what the end of a terminal means for what runs
	Subagents      Subagents `toml:"subagents"`
	Tools          Tools     `toml:"tools"`
	Sandbox        Sandbox   `toml:"sandbox"`
	Fetch          Fetch     `toml:"fetch"`
	Limits         Limits    `toml:"limits"`
	Demo           Demo      `toml:"demo"`
	Screen         Screen    `toml:"screen"`
	Worktree       Worktree  `toml:"worktree"`
	Update         Update    `toml:"update"`
	Remote         Remote    `toml:"remote"`

	Models    map[string]Model    `toml:"models"`    // by provider/name
	Providers map[string]Provider `toml:"providers"` // by name
	MCP       map[string]Server   `toml:"mcp"`       // by name
	// Permissions are rules, which only files can set: a list of them fits no variable. Sandboxed
	// stands in the same table.
	Permissions permission.Rules `toml:"permissions"`
	// Hooks are as written in the file; Programs are the checked specs.
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

// Tools is about how tools run.
type Tools struct {
	// Containment is how the processes of a command are kept together: auto takes the
	// strongest available of namespace, subreaper and group.
	Containment string `toml:"containment"`
	// Debuggable leaves Pawl's memory readable to debuggers, and so to commands that run
	// without a namespace and a sandbox.
	Debuggable bool `toml:"debuggable"`
	// Search says when the tools of MCP servers are found by a search and not sent whole: auto
	// (they take more than a tenth of a model's context), always or never.
	Search string `toml:"search"`
}

// Fetch is about the tool that reads web pages.
type Fetch struct {
	// Allow names hosts, addresses and ranges that may be read although they are not
	// public: localhost, .corp.example, 10.0.0.0/8.
	Allow []string `toml:"allow"`
}

// Demo is about the scripted model.
type Demo struct {
	Pace string `toml:"pace"` // "1x" is for watching, "0" does not wait
}

// Update is about pawl update.
type Update struct {
	Address string `toml:"address"` // of the newest release; empty: that of the build
}

// Duration is a time span as Go writes it: "10m", "2s".
type Duration time.Duration

// UnmarshalText parses a duration such as 10m.
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration: write it like 90s or 10m", text)
	}
	*d = Duration(span)
	return nil
}

// unitless refuses a bare number, which TOML decodes as nanoseconds.
func (d Duration) unitless() error {
	if d > 0 && time.Duration(d) < time.Millisecond {
		return fmt.Errorf("%d: it has no unit: write it like \"30s\" or \"10m\"", int64(d))
	}
	return nil
}

// Error is a setting that cannot be used, in one line: its place, its name and what it takes.
type Error struct {
	Where   string // a file, with its line if known, or the environment
	Message string
}

func (e *Error) Error() string { return e.Where + ": " + e.Message }

// defaults are the settings of a user who chose nothing.
func defaults() Settings {
	limits := lifecycle.DefaultLimits()
	return Settings{
		Subagents: Subagents{
			MaxBackground:     limits.Background,
			ForegroundWarning: Duration(limits.ForegroundWarning),
			MaxAutoResumes:    limits.AutoResumes,
		},
		Limits: Limits{MaxRemote: limits.Remote},
	}
}

// maxFile bounds a settings file, in bytes.
const maxFile = 16 << 20

// Load reads the user's settings from a file, if it exists, and the environment, with
// those of trusted projects in between. An unreadable file is an error, never a reason for
// defaults. The error is one of All.
func Load(path string, environ []string, between ...*Project) (Settings, error) {
	s := defaults()
	text, err := regular.Read(path, maxFile)
	var wrong error
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return s, fmt.Errorf("read settings: %w", err)
	default:
		wrong = s.read(path, string(text))
	}
	for _, project := range between {
		s = project.ApplyTo(s)
	}
	unset := s.applyVariables(environ)
	seen := s
	if wrong != nil { // errors of the file's values are already reported
		seen = defaults()
		_ = seen.applyVariables(environ) // reported above
	}
	return s, All(wrong, unset, seen.check(environment))
}

// read decodes a file and reports everything that is wrong with it.
func (s *Settings) read(path, text string) error {
	read, wrong := decodeFile(path, text, s)
	if wrong != nil && read == "" {
		return wrong
	}
	rows := findRows(read)
	models := error(nil)
	if !mentions(wrong, "models") {
		models = checkModels(s.Models, path, rows)
	}
	programs, hooks := HooksOf(path, read, s.Hooks, hook.User, "")
	s.Programs = programs
	return s.combineErrors(path, rows, wrong, models, hooks)
}

// combineErrors adds the remaining errors to those of decoding. It leaves out servers, providers
// and hooks that were not fully decoded: what seems to be missing may be what was wrong.
func (s Settings) combineErrors(path string, rows rows, wrong, models, hooks error) error {
	s.MCP = maps.Clone(s.MCP)
	maps.DeleteFunc(s.MCP, func(name string, _ Server) bool { return mentions(wrong, "mcp."+name) })
	s.Providers = maps.Clone(s.Providers)
	maps.DeleteFunc(s.Providers, func(name string, _ Provider) bool { return mentions(wrong, "providers."+name) })
	if mentions(wrong, "hook") {
		hooks = nil
	}
	return sortByLine(All(wrong, rows.locate(path, s.check(path)), models, hooks))
}

func mentions(err error, word string) bool { return err != nil && strings.Contains(err.Error(), word) }

// unknownSetting reports an unknown key, with the nearest known one.
func unknownSetting(key toml.Key) string {
	if len(key) > 2 && key[0] == "models" {
		last := key[len(key)-1]
		return fmt.Sprintf("unknown setting %q of models.%q%s", last, key[1], words.DidYouMean(last, modelKeys()))
	}
	name := strings.Join(key, ".")
	if len(key) > 2 && key[0] == "mcp" {
		return fmt.Sprintf("unknown setting %q%s", name, words.DidYouMean(name, serverSettings(key)))
	}
	if len(key) > 2 && key[0] == "providers" {
		return fmt.Sprintf("unknown setting %q%s", name, words.DidYouMean(name, providerSettings(key)))
	}
	if len(key) > 1 && key[0] == "hooks" {
		last := key[len(key)-1]
		return fmt.Sprintf("unknown setting %q of a hook%s", last, words.DidYouMean(last, hookKeys))
	}
	// The keys of models, providers and mcp are for the user to name.
	tables := []string{
		strings.Join(append([]string{"models"}, key[1:]...), "."), "mcp", "providers", "hooks",
		"permissions.deny", "permissions.ask", "permissions.allow", "sandbox.mode",
	}
	return fmt.Sprintf("unknown setting %q%s", name, words.DidYouMean(name, append(keys(), tables...)))
}

// check refuses invalid values.
func (s Settings) check(where string) error {
	var found []error
	wrong := func(format string, values ...any) {
		found = append(found, &Error{where, fmt.Sprintf(format, values...)})
	}
	if s.PermissionMode != "" {
		if _, err := permission.ParseMode(s.PermissionMode); err != nil {
			wrong("%v", err)
		}
	}
	if err := lifecycle.CheckEffort(s.Effort); err != nil {
		wrong("%v", err)
	}
	if provider, name, _ := strings.Cut(s.Fallback, "/"); s.Fallback != "" && (provider == "" || name == "") {
		wrong("fallback %q: must be PROVIDER/NAME", s.Fallback)
	}
	if takes := []string{"", "detach", "stop"}; !slices.Contains(takes, s.OnHangup) {
		wrong("on_hangup %q: must be detach or stop", s.OnHangup)
	}
	if takes := []string{"", "deny", "ask"}; !slices.Contains(takes, s.Subagents.BackgroundPermissions) {
		wrong("subagents.background_permissions %q: must be deny or ask", s.Subagents.BackgroundPermissions)
	}
	if takes := []string{"", permission.SandboxedAsk, permission.SandboxedAllow}; !slices.Contains(takes, s.Permissions.Sandboxed) {
		wrong("permissions.sandboxed %q: must be ask or allow", s.Permissions.Sandboxed)
	}
	if takes := []string{"", "auto", "namespace", "subreaper", "group"}; !slices.Contains(takes, s.Tools.Containment) {
		wrong("tools.containment %q: must be auto, namespace, subreaper or group", s.Tools.Containment)
	}
	if takes := []string{"", "auto", "always", "never"}; !slices.Contains(takes, s.Tools.Search) {
		wrong("tools.search %q: must be auto, always or never", s.Tools.Search)
	}
	if n := s.Subagents.MaxBackground; n < 1 || n > 100 {
		wrong("subagents.max_background %d: must be a number from 1 to 100", n)
	}
	if n := s.Subagents.MaxAutoResumes; n < 0 {
		wrong("subagents.max_auto_resumes %d: must be 0 (never) or more", n)
	}
	if d := s.Subagents.ForegroundWarning; d.unitless() != nil {
		wrong("subagents.foreground_warning %v", d.unitless())
	} else if d <= 0 {
		wrong("subagents.foreground_warning %s: must be a duration such as 90s or 10m", time.Duration(d))
	}
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		found = append(found, s.MCP[name].check(where, name))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Providers)) {
		found = append(found, s.Providers[name].check(where, name))
	}
	return All(append(found, s.Sandbox.check(where), s.Screen.check(where), s.Limits.check(where), s.Worktree.check(where), s.Remote.check(where))...)
}

// Slots are the supervisor's limits, with the user's choices.
func (s Settings) Slots() lifecycle.Limits {
	limits := lifecycle.DefaultLimits()
	limits.Background = s.Subagents.MaxBackground
	limits.ForegroundWarning = time.Duration(s.Subagents.ForegroundWarning)
	limits.AutoResumes = s.Subagents.MaxAutoResumes
	limits.Remote = s.Limits.MaxRemote
	return limits
}
