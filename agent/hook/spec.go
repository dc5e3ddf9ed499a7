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

// Limit is the longest time that a hook may take; its settings can only shorten it.
const Limit = 60 * time.Second

// Source says whose hook it is.
type Source string

// The sources.
const (
	User    Source = "user"    // the user's own settings
	Project Source = "project" // a folder's settings, which the user has seen and trusted
)

// Spec is one hook. Worker processes get it as JSON.
type Spec struct {
	Event   agent.HookEvent `json:"event"`
	Match   Match           `json:"match,omitempty"`
	Command []string        `json:"command,omitempty"` // a program and its arguments, without a shell; or
	Line    string          `json:"line,omitempty"`    // a line for sh
	Limit   time.Duration   `json:"limit_ns"`
	Source  Source          `json:"source"`
	Folder  string          `json:"folder,omitempty"` // the project's folder, to which its program is relative
	Where   string          `json:"where"`            // its file and line
	// Sums are the digests of its Scripts when the user trusted them, empty for those that were not there.
	Sums map[string]string `json:"sums,omitempty"`
}

// Wants reports whether a hook is to be run.
func (s Spec) Wants(o agent.HookInput) bool {
	return s.Event == o.Event && s.Match.Matches(subject(o))
}

// subject is what Match is compared with.
func subject(o agent.HookInput) string {
	switch o.Event {
	case agent.HookPreToolUse, agent.HookPostToolUse, agent.HookPermissionRequest:
		return o.Call.Name
	case agent.HookSubagentStart, agent.HookSubagentStop, agent.HookSessionStart, agent.HookNotification:
		return o.Kind
	case agent.HookStop, agent.HookNeedsInput, agent.HookAllEnded:
	}
	return ""
}

// Name is the hook's name for people: its program, without arguments.
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

// Brief describes the whole hook in one line, for the person who is to trust it.
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

// Scripts are the files below .pawl that the command of a project's hook names, relative
// to its folder: the program itself, or words of its line or arguments. Where it mentions .pawl
// in any other way, as in "$PWD"/.pawl/check or cd .pawl, it is the whole folder.
func (s Spec) Scripts() []string {
	if s.Source != Project {
		return nil
	}
	words := splitWords(s.Line)
	for i, argument := range s.Command {
		if i == 0 || strings.HasPrefix(filepath.Clean(argument), projectFolder+"/") {
			words = append(words, argument)
			continue
		}
		words = append(words, splitWords(argument)...)
	}
	var names []string
	for _, word := range words {
		name := filepath.Clean(word)
		switch {
		case !strings.Contains(word, projectFolder):
			continue
		case !strings.HasPrefix(name, projectFolder+"/"):
			name = projectFolder
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// splitWords are the words of a shell's line, as far as names of files are concerned.
func splitWords(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()<>{}=\"'`", r) })
}

// ScriptPath is where a script is when the hook runs in a folder. The program of a list is
// in the project's own folder, everything else in the one given.
func (s Spec) ScriptPath(script, folder string) string {
	if len(s.Command) > 0 && filepath.Clean(s.Command[0]) == script {
		folder = s.Folder
	}
	return filepath.Join(folder, script)
}

// Restrict limits a result by the hook's source: a project's hook never allows.
func (s Spec) Restrict(r agent.HookResult) agent.HookResult {
	if s.Source == Project && r.Decision == agent.HookAllow {
		r.Decision, r.Reason = agent.HookPass, ""
	}
	return r
}

// Program is the program to start; for a Line it is sh. home replaces ~; empty: unknown.
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

// projectFolder holds a project's own programs. No file tool writes there without a question.
const projectFolder = ".pawl"

// CheckProgram refuses a command that would be a different program in each folder, or that
// anything with write access to the project could replace.
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
