package search

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"pawl/tools/process"
	"pawl/tools/workspace"
)

// Bounds of one use of ripgrep: how many files make it worth its start (25 ms;
// what it saves is half a millisecond a file, both on two cores), the bytes of the
// names that it is given at once, of which the kernel takes 2 MB on Linux and 1 MB
// on macOS with the environment, and how long it may take for them.
const (
	sieveFiles = 200
	sieveNames = 128 << 10
	sieveTime  = 10 * time.Second
)

// sieve lets those of the files pass in which a pattern may match, told by
// ripgrep. It is given the very files that grep would read, and what it lets pass
// grep reads itself: rules of what is ignored, hidden, binary or outside the
// folder stay those of the workspace, and so does the answer. Where ripgrep does
// not answer as it should, all pass. Nil lets all pass.
type sieve struct {
	w        *workspace.Workspace
	launcher *process.Launcher
	program  string
	pattern  string        // for ripgrep
	limit    time.Duration // that it may take

	batch []string
	bytes int
}

// newSieve gives a sieve where it would save something, else nil.
func newSieve(w *workspace.Workspace, launcher *process.Launcher, pattern string) *sieve {
	if launcher == nil {
		return nil
	}
	weak, ok := weaker(pattern)
	if !ok {
		return nil
	}
	program := launcher.Program("rg", w.Folder())
	if program == "" {
		return nil
	}
	return &sieve{w: w, launcher: launcher, program: program, pattern: "(?-u:" + weak + ")", limit: sieveTime}
}

// pass takes a file in, and hands on what passes when there are enough.
func (s *sieve) pass(ctx context.Context, at string, read func(string)) {
	if s == nil {
		read(at)
		return
	}
	s.batch = append(s.batch, at)
	if s.bytes += len(at) + len("./") + 1 + 8; s.bytes >= sieveNames { // a NUL, and a pointer
		s.flush(ctx, read)
	}
}

// flush hands on what passes of the files so far.
func (s *sieve) flush(ctx context.Context, read func(string)) {
	if s == nil {
		return
	}
	batch := s.batch
	if len(batch) >= sieveFiles {
		if found, err := s.narrow(ctx, batch); err == nil {
			batch = found
		}
	}
	for _, at := range batch {
		read(at)
	}
	s.batch, s.bytes = s.batch[:0], 0
}

// narrow asks ripgrep in which of the files the pattern may match. It is asked too
// for a word that it is given on standard input: a program of that name that does
// not find it is none to believe.
func (s *sieve) narrow(ctx context.Context, batch []string) ([]string, error) {
	word := rand.Text()
	in, hint, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	_, _ = hint.WriteString(word + "\n") // a pipe holds as much; without it nothing is believed
	hint.Close()
	args := []string{
		"--no-config", "--files-with-matches", "--null", "--text", "--encoding=none", "--no-messages", "--color=never",
		fmt.Sprintf("--max-filesize=%d", workspace.MaxFile), "--regexp=" + s.pattern, "--regexp=" + word, "--", "-",
	}
	for _, at := range batch {
		args = append(args, "./"+at)
	}
	command := process.Command{Name: s.program, Args: args, Folder: s.w.Folder(), Limit: s.limit, Stdin: in}
	said, done, err := s.launcher.Read(ctx, command, 2*sieveNames) // names that it was given, no more
	switch {
	case err != nil:
		return nil, err
	case done.ExitCode != 0 || done.Stopped != process.NotStopped:
		return nil, fmt.Errorf("exit code %d", done.ExitCode)
	}
	return believed(said, batch)
}

// believed reads a list of names: standard input must be among them, and all
// others those that were given.
func believed(said []byte, batch []string) ([]string, error) {
	found, heard := map[string]bool{}, false
	for name := range bytes.SplitSeq(bytes.TrimSuffix(said, []byte{0}), []byte{0}) {
		if at, ours := strings.CutPrefix(string(name), "./"); ours {
			found[at] = true
		} else if string(name) == "<stdin>" {
			heard = true
		} else {
			return nil, fmt.Errorf("an answer that nobody asked for: %q", name)
		}
	}
	if !heard {
		return nil, fmt.Errorf("the answer lacks what must be in it")
	}
	passed := slices.DeleteFunc(slices.Clone(batch), func(at string) bool {
		ours := found[at]
		delete(found, at)
		return !ours
	})
	if len(found) > 0 {
		return nil, fmt.Errorf("an answer about %d files that nobody asked for", len(found))
	}
	return passed, nil
}
