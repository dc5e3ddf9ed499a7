package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/tools/process"
)

// unspoken decides an effect that no rule and no mode speaks about.
func (r rules) unspoken(effect agent.Effect) agent.Decision {
	decision := r.unasked(effect)
	if decision.Allow || effect.Kind != agent.EffectShell || r.Permissions.Sandboxed != permission.SandboxedAllow {
		return decision
	}
	if what := r.refused.by(effect.Subject); what != "" {
		return agent.Decision{Ask: true, Closed: true, Reason: "it ran before in the closed sandbox, which seems to have refused it " + what}
	}
	if r.closes() != nil {
		return decision
	}
	return agent.Decision{Allow: true, Closed: true}
}

// closes says why commands do not run without a question in the closed sandbox; nil: they do,
// where no rule speaks about them.
func (r rules) closes() error {
	if r.Untrusted || r.Folder == "" {
		return errors.New(notTrusted)
	}
	if err := process.CheckClosed(context.Background(), r.Containment, r.Sandbox, r.Folder); err != nil {
		return err
	}
	_, err := r.hidden(r.Folder)
	return err
}

// Bounds of the look for files that rules deny to read.
const (
	hiddenLooks = 50_000
	hiddenMost  = 500
)

// hidden are the files that a rule denies to read, in the folder of a closed command, in the session's
// and in its worktrees: the command does not see them.
func (r rules) hidden(folder string) (all []string, err error) {
	if !r.Permissions.HidesFiles() {
		return nil, nil
	}
	folders := []string{folder}
	if r.Home != "" {
		folders = append(folders, r.Home)
	}
	trees, _ := os.ReadDir(r.Trees) // where no subagent has one, the folder is missing
	for _, tree := range trees {
		folders = append(folders, filepath.Join(r.Trees, tree.Name()))
	}
	slices.Sort(folders)
	for _, each := range slices.Compact(folders) {
		found, err := r.hiddenIn(each)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// hiddenIn are those files of one folder.
func (r rules) hiddenIn(folder string) ([]string, error) {
	var found []string
	looked := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		looked++
		switch {
		case looked > hiddenLooks:
			return fmt.Errorf("read rules deny some files, and %s has too many (over %d) to look for them", folder, hiddenLooks)
		case err != nil || name == ".":
			return nil // what cannot be listed cannot be read by name either, or is gone
		case r.Permissions.Reading(filepath.ToSlash(name)) == nil:
			return nil
		case len(found) == hiddenMost:
			return fmt.Errorf("read rules deny more than %d files of %s, which are too many to hide", hiddenMost, folder)
		}
		found = append(found, path)
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// refusedMost is how many refused lines are remembered.
const refusedMost = 1000

// refusedLines are the command lines that the closed sandbox has refused something, as far as this
// process has run them. The zero value works; nil remembers nothing. Its methods may be called
// from any goroutine.
type refusedLines struct {
	mu   sync.Mutex
	what map[string]string
}

func (l *refusedLines) note(c process.Command, what string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.what == nil || len(l.what) >= refusedMost {
		l.what = map[string]string{} // one that is forgotten is refused again
	}
	l.what[c.Line()] = what
}

// by is what a line was refused; empty: nothing.
func (l *refusedLines) by(line string) string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.what[line]
}
