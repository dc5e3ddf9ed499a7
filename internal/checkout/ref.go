package checkout

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"pawl/internal/worktree"
	"pawl/tools/git"
)

// Ref says what a run on another machine begins with: the host makes it (Home.Send), the worker
// builds that from it (Cache.Receive). It travels as JSON in what a claim is granted.
type Ref struct {
	Repository string `json:"repository"` // its oldest commit, which all clones share
	Head       string `json:"head"`       // the commit that the run's branch begins at
	// Files is a commit, on no branch, of all files as they are to be, what is not committed among them.
	// Empty: they are those of Head.
	Files  string `json:"files,omitempty"`
	Branch string `json:"branch"`         // the run's own
	Line   string `json:"line,omitempty"` // the branch that is checked out in the folder; empty: none
	Within string `json:"within"`         // the folder that the run works in, below the top, with slashes; "."
	// Include is a commit of the ignored files that .worktreeinclude names, and Included says which. Empty:
	// there are none.
	Include  string            `json:"include,omitempty"`
	Included worktree.Included `json:"included,omitzero"`
	// Bundles are the objects that hold all of it, each after the one that it builds on.
	Bundles    []string `json:"bundles"`
	Shallow    []string `json:"shallow,omitempty"`    // commits whose parents nobody has: the host has a shallow clone
	Submodules []string `json:"submodules,omitempty"` // their paths; they are empty folders
	Exclude    string   `json:"exclude,omitempty"`    // what the checkout ignores beside what its files say

	// Of the worktree at home: see worktree.Note.
	Base   string `json:"base"`
	Start  string `json:"start,omitempty"`
	Behind int    `json:"behind,omitempty"`

	Sent int64 `json:"sent,omitempty"` // bytes that Send had to bring to the store; 0: all was there
}

// files is the commit of all files.
func (r Ref) files() string { return cmp.Or(r.Files, r.Head) }

// wants are the commits that bundles must hold.
func (r Ref) wants() []string {
	return slices.DeleteFunc([]string{r.Head, r.Files, r.Include}, func(commit string) bool { return commit == "" })
}

// check says what is wrong with a ref that somebody else made.
func (r Ref) check() error {
	for _, id := range append(r.wants(), r.Repository, r.Base, cmp.Or(r.Start, r.Base)) {
		if !git.ValidID(id) {
			return fmt.Errorf("%q is no commit", id)
		}
	}
	for _, id := range r.Shallow {
		if !git.ValidID(id) {
			return fmt.Errorf("%q is no commit", id)
		}
	}
	switch {
	case r.Head == "":
		return errors.New("it names no commit")
	case !validBranch(r.Branch):
		return fmt.Errorf("%q is no name of a branch of Pawl's", r.Branch)
	case r.Line != "" && (!validBranch(r.Line) || r.Line == r.Branch):
		return fmt.Errorf("%q is no plain name of a branch", r.Line)
	case !filepath.IsLocal(filepath.FromSlash(r.Within)):
		return fmt.Errorf("the folder %q is outside of its checkout", r.Within)
	}
	for _, name := range r.Bundles {
		if of, _, _, ok := parseName(name); !ok || of != r.Repository {
			return fmt.Errorf("%q is no bundle of its repository", name)
		}
	}
	return nil
}

// Result says what a run has left of its checkout on another machine: the worker makes it
// (Checkout.Result), the host takes it in (Home.Return). It travels as JSON.
type Result struct {
	Ref Ref `json:"ref"` // what it began with: a host that was started anew does not remember that
	// Bundle is the object that holds the commits below; empty: the checkout is as it was.
	Bundle string `json:"bundle,omitempty"`
	Head   string `json:"head,omitempty"`  // the commit that was checked out
	Files  string `json:"files,omitempty"` // a commit, on no branch, of all files, committed or not
	// Branches are other branches that the run made, with their commits.
	Branches map[string]string `json:"branches,omitempty"`
	// Contents is the object that holds what the run kept in its file store; empty: nothing.
	Contents string `json:"contents,omitempty"`
	// Left are folders that could not be brought, with slashes: repositories that the run made inside.
	Left []string `json:"left,omitempty"`
	Sent int64    `json:"sent,omitempty"` // bytes of both objects
}

// Nothing reports that the run has left nothing.
func (r Result) Nothing() bool { return r.Bundle == "" && r.Contents == "" }

// commits are those that a bundle brings.
func (r Result) commits() []string {
	return append([]string{r.Files, r.Head}, slices.Sorted(maps.Values(r.Branches))...)
}

// mostBranches bounds what one run leaves.
const mostBranches = 100

// check says what is wrong with a result that a worker sent.
func (r Result) check() error {
	if err := r.Ref.check(); err != nil {
		return err
	}
	if r.Bundle == "" {
		return nil
	}
	for _, id := range r.commits() {
		if !git.ValidID(id) {
			return fmt.Errorf("%q is no commit", id)
		}
	}
	if len(r.Branches) > mostBranches {
		return fmt.Errorf("it has more than %d branches", mostBranches)
	}
	for name := range r.Branches {
		if !validBranch(name) {
			return fmt.Errorf("%q is no plain name of a branch", name)
		}
	}
	return nil
}

// fits says what a bundle holds that it should not, or lacks.
func (r Result) fits(h header) error {
	if h.holds[filesRef] != r.Files || h.holds[headRef] != r.Head || len(h.holds) != 2+len(r.Branches) {
		return errors.New("it holds other commits than was said")
	}
	for name, commit := range r.Branches {
		if h.holds[otherRef+name] != commit {
			return errors.New("it holds other branches than was said")
		}
	}
	for _, id := range h.needs {
		if id != r.Ref.Head && id != r.Ref.files() {
			return fmt.Errorf("it builds on %s, which was not sent", id)
		}
	}
	return nil
}
