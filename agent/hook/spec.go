package hook

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pawl/agent"
)

// Limit is how long a hook may take, unless it is given less.
const Limit = 60 * time.Second

// Source says whose hook it is.
type Source string

// The sources.
const (
	User    Source = "user"    // the user's own settings
	Project Source = "project" // a folder's, which the user has seen and trusted
)

// Spec is one hook. It is a value that goes to a process of its own as JSON.
type Spec struct {
	Event   agent.HookEvent `json:"event"`
	Match   Match           `json:"match,omitempty"`
	Command []string        `json:"command,omitempty"` // a program and its arguments, without a shell; or
	Line    string          `json:"line,omitempty"`    // a line for sh
	Limit   time.Duration   `json:"limit_ns"`
	Source  Source          `json:"source"`
	Folder  string          `json:"folder,omitempty"` // of a project: where its relative program is
	Where   string          `json:"where"`            // the file and line that it stands on
	// Sums are the digests of its Scripts as they were when the user trusted them.
	Sums map[string]string `json:"sums,omitempty"`
}

// Wants says whether a hook is to be asked.
func (s Spec) Wants(o agent.HookInput) bool {
	return s.Event == o.Event && s.Match.Matches(subject(o))
}

// subject is what an occasion is about, for a match.
func subject(o agent.HookInput) string {
	switch o.Event {
	case agent.HookPreToolUse, agent.HookPostToolUse, agent.HookPermissionRequest:
		return o.Call.Name
	case agent.HookSubagentStart, agent.HookSubagentStop, agent.HookSessionStart, agent.HookNotification:
		return o.Kind
	case agent.HookStop:
		return ""
	}
	return ""
}

// Name is what people call the hook: its program, without arguments, which may be long.
func (s Spec) Name() string {
	if len(s.Command) > 0 {
		return s.Command[0]
	}
	first, _, more := strings.Cut(strings.TrimSpace(s.Line), "\n")
	if runes := []rune(first); len(runes) > 60 {
		first, more = string(runes[:60]), true
	}
	if more {
		first += "…"
	}
	return first
}

// Brief says in a line all that the hook is: for whoever is to trust it.
func (s Spec) Brief() string {
	about := ""
	if s.Match != "" {
		about = " about " + string(s.Match)
	}
	if len(s.Command) == 0 {
		return fmt.Sprintf("hook %s%s: sh -c %q", s.Event, about, s.Line)
	}
	return fmt.Sprintf("hook %s%s: %q", s.Event, about, s.Command)
}

// Scripts are the files below .pawl that the command of a project's hook names, by their
// paths from its folder: its program, and what it gives to another one or to sh.
func (s Spec) Scripts() []string {
	if s.Source != Project {
		return nil
	}
	words := s.Command
	if len(words) == 0 {
		words = strings.FieldsFunc(s.Line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()<>{}=\"'`", r) })
	}
	var names []string
	for _, word := range words {
		if name := filepath.Clean(word); strings.HasPrefix(name, projectFolder+"/") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ScriptPath is where a script is found by who starts the hook in a folder: the program of a
// list in the project's own, all else in that one.
func (s Spec) ScriptPath(script, folder string) string {
	if len(s.Command) > 0 && filepath.Clean(s.Command[0]) == script {
		folder = s.Folder
	}
	return filepath.Join(folder, script)
}

// Restrict is what a ruling comes to, by whose hook it is: a project's never lets go.
func (s Spec) Restrict(r agent.HookResult) agent.HookResult {
	if s.Source == Project && r.Decision == agent.HookAllow {
		r.Decision, r.Reason = agent.HookPass, ""
	}
	return r
}

// Program is what is to be started: with a line, sh. home stands for ~; empty: nobody
// knows it.
func (s Spec) Program(home string) (name string, args []string, err error) {
	if len(s.Command) == 0 {
		return "sh", []string{"-c", s.Line}, nil
	}
	name, args = s.Command[0], s.Command[1:]
	rest, below := strings.CutPrefix(name, "~/")
	switch {
	case below && home == "":
		return "", nil, fmt.Errorf("%s: the home folder is not known: set HOME, or write the full path", name)
	case below:
		return filepath.Join(home, rest), args, nil
	case strings.Contains(name, "/") && !filepath.IsAbs(name):
		return filepath.Join(s.Folder, name), args, nil
	}
	return name, args, nil
}

// projectFolder is where a project's own programs are: a place that no file tool writes
// to without a question.
const projectFolder = ".pawl"

// CheckProgram refuses a command that would be another program in another folder, or
// that anything which writes to the project could replace.
func (s Spec) CheckProgram() error {
	if s.Line != "" {
		return nil
	}
	if len(s.Command) == 0 {
		return errors.New(`it has no command: write command = ["program", "argument"], or command = "a line for sh"`)
	}
	name := s.Command[0]
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("its command is blank")
	case !strings.Contains(name, "/") || filepath.IsAbs(name) || strings.HasPrefix(name, "~/"):
		return nil
	case s.Source == User:
		return fmt.Errorf("command %q would be a different program in each folder: write the full path, ~/…, or a name on PATH", name)
	case !strings.HasPrefix(filepath.Clean(name), projectFolder+"/"):
		return fmt.Errorf("command %q: a project's program must be below %s, where agents cannot write without asking", name, projectFolder)
	}
	return nil
}
