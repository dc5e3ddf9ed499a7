package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/tools/process"
)

// Repository runs git in one checkout. The checkout's settings and hooks start nothing (see
// Command), so files of a filter (such as LFS) are in a worktree as they were committed. Use it
// for a trusted checkout only.
type Repository struct {
	Checkout Checkout
	Folder   string // any folder of the checkout
	Launcher *process.Launcher
}

const (
	gitLimit       = 2 * time.Minute // for one command, such as a checkout of a large tree on a slow disk
	packLimit      = time.Hour       // for packing a whole repository, and for taking it in
	longestMessage = 300             // bytes of git's message in an error
	mostOutput     = 64 << 20        // bytes of output of one command: a million paths
)

// Failed is the error of a git command that ended with an exit code.
type Failed struct {
	Code    int
	Message string // git's message, one line
}

func (f *Failed) Error() string { return "git: " + f.Message }

func (r Repository) run(ctx context.Context, folder string, args ...string) (string, error) {
	text, err := r.read(ctx, nil, nil, folder, args...)
	return string(text), err
}

// runWith is run with something to read; nil: nothing.
func (r Repository) runWith(ctx context.Context, in *os.File, folder string, args ...string) ([]byte, error) {
	return r.read(ctx, in, nil, folder, args...)
}

// runUnder is run with variables of its own.
func (r Repository) runUnder(ctx context.Context, environ []string, folder string, args ...string) (string, error) {
	text, err := r.read(ctx, nil, environ, folder, args...)
	return string(text), err
}

// runFrom is runUnder with a file to read.
func (r Repository) runFrom(ctx context.Context, input string, environ []string, folder string, args ...string) (string, error) {
	in, err := os.Open(input)
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := r.read(ctx, in, environ, folder, args...)
	return string(text), err
}

func (r Repository) read(ctx context.Context, in *os.File, environ []string, folder string, args ...string) ([]byte, error) {
	command, err := r.Checkout.Command(folder, args...)
	if err != nil {
		return nil, err
	}
	command.Limit, command.Stdin = gitLimit, in
	command.Environ = append(command.Environ, environ...)
	launcher := *r.Launcher
	launcher.Environ = func() []string { return Environ(os.Environ()) }
	return wholeOutput(ctx, &launcher, command)
}

// wholeOutput runs a git command and gives its standard output, or an error.
func wholeOutput(ctx context.Context, launcher *process.Launcher, command process.Command) ([]byte, error) {
	text, done, err := launcher.Read(ctx, command, mostOutput+1)
	err = commandError(ctx, command, done, err)
	if err == nil && len(text) > mostOutput {
		return nil, fmt.Errorf("git's answer is longer than %s", words.Size(mostOutput))
	}
	return text, err
}

// commandError is the error of a git command that has ended, or nil.
func commandError(ctx context.Context, c process.Command, done process.Finished, err error) error {
	says, _ := done.Output.Text(longestMessage)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && done.Took == 0:
		return fmt.Errorf("git does not start: %w: install it, or work without a worktree", err)
	case err != nil:
		return fmt.Errorf("run git: %w", err)
	case done.Stopped != process.NotStopped:
		return fmt.Errorf("git took longer than %s", c.Limit)
	case done.ExitCode != 0:
		return &Failed{Code: done.ExitCode, Message: brief(says)}
	}
	return nil
}

// brief puts git's message on one line: if it is long, such as a line for each file, the first
// line, which names the cause, and the last.
func brief(says string) string {
	lines, between := strings.Split(strings.TrimSpace(says), "\n"), " "
	if len(lines) > 2 {
		lines, between = []string{lines[0], lines[len(lines)-1]}, " … "
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(words.Line(line), "fatal: "), "error: ")
	}
	return strings.Join(lines, between)
}

// StartPoint is where a worktree would start.
type StartPoint struct {
	Top     string // top folder of the checkout
	Base    string // the commit that is checked out there
	Changed int    // files with uncommitted changes there: no worktree gets them
}

// StartPoint returns where a worktree would start, or why there can be none, in one line for a
// model. dirty says that it gets what is not committed too.
func (r Repository) StartPoint(ctx context.Context, dirty bool) (StartPoint, error) {
	if r.Checkout.Top == "" {
		return StartPoint{}, fmt.Errorf("a worktree needs a git repository, and %s is not in one: start the subagent without isolation, or ask the user whether to run git init", r.Folder)
	}
	top, err := r.run(ctx, r.Folder, "rev-parse", "--show-toplevel")
	if _, is := errors.AsType[*Failed](err); is {
		return StartPoint{}, fmt.Errorf("a worktree needs a checkout that git can work in, and %s is not one (%w): start the subagent without isolation", r.Folder, err)
	}
	if err != nil {
		return StartPoint{}, err
	}
	f := StartPoint{Top: strings.TrimSuffix(top, "\n")}
	base, err := r.run(ctx, r.Folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if _, is := errors.AsType[*Failed](err); is {
		return StartPoint{}, errors.New("a worktree begins with a commit, and this repository has none yet: commit first, or start the subagent without isolation")
	}
	if err != nil {
		return StartPoint{}, err
	}
	f.Base = strings.TrimSpace(base)
	if dirty {
		return f, nil
	}
	status, err := r.run(ctx, f.Top, Status()...)
	if err != nil {
		return StartPoint{}, err
	}
	return f, f.countChanges(status)
}

// countChanges counts the uncommitted changes. Staged changes are an error: somebody is preparing a
// commit, and a worktree would start before it.
func (f *StartPoint) countChanges(status string) error {
	var staged []string
	for line := range strings.SplitSeq(strings.TrimSuffix(status, "\x00"), "\x00") {
		if len(line) < 4 {
			continue
		}
		f.Changed++
		if line[0] != ' ' && line[0] != '?' {
			staged = append(staged, line[3:])
		}
	}
	if len(staged) == 0 {
		return nil
	}
	names := strings.Join(staged[:min(3, len(staged))], ", ")
	if more := len(staged) - 3; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("git's index holds changes that are not committed (%s), and a worktree begins with the last commit, without them: have them committed or unstaged first (git restore --staged), or start the subagent without isolation", names)
}

// ErrLeft: something is left of a worktree that was not created, for Clear to remove later.
var ErrLeft = errors.New("what is left of it is removed at the next start")

// Add creates a worktree at a path, on a new branch from a commit. An error leaves nothing
// behind, unless it is ErrLeft. Two at once in one repository can make each other fail: callers must take turns within
// a process; if another process interferes, Add retries.
func (r Repository) Add(ctx context.Context, top, path, branch, base string) error {
	return r.addWith(ctx, top, path, branch, base)
}

// addWith is Add with options of git's.
func (r Repository) addWith(ctx context.Context, top, path, branch, base string, options ...string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the worktree %s: %w", path, err)
	}
	for tries := 3; ; tries-- {
		err := r.add(ctx, top, path, branch, base, options)
		failed := (*Failed)(nil)
		if err == nil {
			return nil
		}
		if tries > 1 && errors.As(err, &failed) && strings.Contains(failed.Message, "/worktrees/") && ctx.Err() == nil {
			continue
		}
		return fmt.Errorf("make the worktree %s: %w", path, err)
	}
}

func (r Repository) add(ctx context.Context, top, path, branch, base string, options []string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) { // git may be stopped before it reports that
		return errors.Join(errors.New("something is there already"), err)
	}
	_, err := r.run(ctx, top, append(append([]string{"worktree", "add", "--quiet", "--no-track"}, options...), "-b", branch, path, base)...)
	if taken := (*Failed)(nil); err == nil || errors.As(err, &taken) && strings.Contains(taken.Message, "already exists") {
		return err // what is there is not ours
	}
	clearing, end := finishing(ctx)
	defer end()
	if left := r.Clear(clearing, top, path, branch, base); left != nil {
		return errors.Join(err, left, ErrLeft)
	}
	return err
}

// clearLimit is how long after a stop it may take to clear away a worktree that was being made, or to have
// git forget one that was being removed.
const clearLimit = 1500 * time.Millisecond

// finishing is a context for what has begun and must be finished: it is done a clearLimit after ctx is.
func finishing(ctx context.Context) (_ context.Context, end func()) {
	finishing, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		late := time.NewTimer(clearLimit)
		defer late.Stop()
		select {
		case <-late.C:
			cancel(errors.New("git took too long"))
		case <-finishing.Done():
		}
	})
	return finishing, func() {
		stop()
		cancel(nil)
	}
}

// Clear removes a worktree in which nobody has worked yet, whole or partly created.
func (r Repository) Clear(ctx context.Context, top, path, branch, base string) error {
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("remove the worktree %s: %w", path, err)
	}
	return r.Forget(ctx, top, path, branch, base)
}

// Forget makes git forget a worktree whose folder is gone, and its branch if nothing was
// committed to it.
func (r Repository) Forget(ctx context.Context, top, path, branch, base string) error {
	return r.forget(ctx, top, path, r.admin(ctx, top, path), branch, base)
}

// forget is Forget for a worktree whose data git keeps in admin, if that is not empty.
func (r Repository) forget(ctx context.Context, top, path, admin, branch, base string) error {
	if admin != "" {
		if err := os.RemoveAll(admin); err != nil {
			return fmt.Errorf("forget the worktree %s: %w", path, err)
		}
	}
	if _, err := r.run(ctx, top, "update-ref", "-d", startRef(branch)); err != nil { // also where it was given nothing
		return fmt.Errorf("forget the worktree %s: %w", path, err)
	}
	return r.dropBranch(ctx, top, branch, base)
}

// admin is the folder in which git keeps its data about a worktree; empty if there is none.
func (r Repository) admin(ctx context.Context, top, path string) string {
	common, err := r.run(ctx, top, "rev-parse", "--git-common-dir")
	if err != nil {
		return ""
	}
	return adminBelow(beside(top, strings.TrimSuffix(common, "\n")), path)
}

// adminBelow is admin of the worktrees of a git folder.
func adminBelow(common, path string) string {
	all := filepath.Join(common, "worktrees")
	entries, err := os.ReadDir(all)
	if err != nil {
		return ""
	}
	meant := unlinked(path)
	for _, entry := range entries {
		admin := filepath.Join(all, entry.Name())
		back, err := read(filepath.Join(admin, "gitdir"))
		if err == nil && unlinked(filepath.Dir(beside(admin, strings.TrimSpace(back)))) == meant {
			return admin
		}
	}
	return ""
}

// unlinked is a path whose folder is named without links, as git names it. What it leads to may be gone.
func unlinked(path string) string {
	folder, name := filepath.Split(filepath.Clean(path))
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return filepath.Join(folder, name)
}

// dropBranch deletes a branch that is still at base; otherwise it stays. Without a base it stays
// too: git would delete it wherever it is.
func (r Repository) dropBranch(ctx context.Context, top, branch, base string) error {
	if base == "" {
		return nil
	}
	_, err := r.run(ctx, top, "update-ref", "-d", "refs/heads/"+branch, base)
	if _, is := errors.AsType[*Failed](err); is {
		return nil // it has commits, or is gone
	}
	return err
}
