package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// state is what was played, and where.
type state struct {
	Commit    string
	Changed   bool // something was not committed
	CPU       string
	Cores     int
	System    string
	GoVersion string
}

// here is the state of the checkout in a folder, on this machine.
func here(ctx context.Context, root string) (state, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return state{}, fmt.Errorf("ask git for the commit of %s: %w; a result says what it is of", root, err)
	}
	changes, err := git("status", "--porcelain")
	if err != nil {
		return state{}, fmt.Errorf("ask git what is changed in %s: %w", root, err)
	}
	s := state{commit, changes != "", runtime.GOARCH, runtime.NumCPU(), runtime.GOOS, runtime.Version()}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, found := strings.Cut(string(text), "model name\t: "); found {
			s.CPU, _, _ = strings.Cut(rest, "\n")
		}
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		s.System += " " + strings.TrimSpace(string(text))
	}
	return s, nil
}

// result is what came of one piece.
type result struct {
	Part, Whole string
	Of          state
	Program     string // programOf its subjects
	Began       time.Time
	Seconds     float64 // of fuzzing: in all, since its corpus was begun; so its Tried
	Command     string
	Tests       []tested
	Tried       []tried
	Counterpart []counterpart
	Failures    []failure
	CutShort    string // why it did not come to its end; empty where it did
}

// tested is one test of a package, over all the times that it was played.
type tested struct {
	Package, Name           string
	Passed, Failed, Skipped int
	Cases                   int    // subtests that passed
	Why                     string // it was skipped
}

type tried struct {
	Count int
	What  string
}

// counterpart is a program or library of others that was asked to check Pawl.
type counterpart struct {
	Name, Version string
	Cases         int
}

type failure struct {
	Test  string
	Lines []string // the first of what it said
	Again string   // what plays it again
}

// sound says whether all of it was played and passed.
func (r result) sound() bool { return r.CutShort == "" && len(r.Failures) == 0 }

// idle says whether all tests were skipped.
func (r result) idle() bool {
	return r.sound() && !slices.ContainsFunc(r.Tests, func(one tested) bool { return one.Passed > 0 })
}

// add counts something that was tried.
func (r *result) add(count int, what string) {
	for i := range r.Tried {
		if r.Tried[i].What == what {
			r.Tried[i].Count += count
			return
		}
	}
	r.Tried = append(r.Tried, tried{count, what})
}

func (r result) write(folder, file string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, file), append(text, '\n'), 0o600)
}

// read reads a result; there may be none yet.
func read(path string) (r result, there bool, err error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return r, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, false, fmt.Errorf("read a result: %w", err)
	}
	return r, true, nil
}
