package checkout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
)

// Home is the side of the host: it sends the checkout of a session's folder, and takes in what
// comes back. One a session; its methods may be called from any goroutine.
type Home struct {
	checkouts, results Objects
	trees              *worktree.Trees
	files              *filestore.Store

	looking turns // by the paths of checkouts
	sending turns // by what is sent

	mu     sync.Mutex         // guards what follows
	seen   map[string]seen    // by the paths of checkouts
	known  map[string]bundles // by commits: bundles that were in the store
	newest map[string]string  // the commits sent last, by what they build on
	tops   map[string]string  // of folders
}

// NewHome makes one. checkouts is the bucket pawl_checkouts, results pawl_results; files is the file
// store of the session.
func NewHome(checkouts, results Objects, trees *worktree.Trees, files *filestore.Store) *Home {
	return &Home{
		checkouts: checkouts, results: results, trees: trees, files: files,
		seen: map[string]seen{}, known: map[string]bundles{}, newest: map[string]string{}, tops: map[string]string{},
	}
}

// look up and note what several runs find out.
func lookUp[V any](h *Home, in map[string]V, name string) (V, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, known := in[name]
	return v, known
}

func note[V any](h *Home, in map[string]V, name string, v V) {
	h.mu.Lock()
	defer h.mu.Unlock()
	in[name] = v
}

// Send brings what the run begins with to the store, as far as that lacks it: the folder as a new
// checkout is, with what is not committed, whatever worktree.base says of worktrees, or, for an agent
// that is resumed, its worktree as it is. Neither an index, a branch nor a file of the checkout is touched.
// The error is one line for the parent's model: git may not be run, there is no commit, a merge is
// under way, the store is full. From Send to Return nobody lands the worktree.
func (h *Home) Send(ctx context.Context, run lifecycle.Run) (Ref, error) {
	away, err := h.trees.Depart(ctx, run)
	if err != nil {
		return Ref{}, err
	}
	ref, err := h.send(ctx, away, run)
	if err != nil {
		_, _ = h.trees.Stay(context.WithoutCancel(ctx), run) // its worktree is as it was
	}
	return ref, err
}

func (h *Home) send(ctx context.Context, away worktree.Away, run lifecycle.Run) (Ref, error) {
	now, err := h.look(ctx, away)
	if err != nil {
		return Ref{}, err
	}
	r := away.Repository
	ref := Ref{
		Head: now.state.Head, Files: now.files, Branch: run.Branch, Within: filepath.ToSlash(away.Within), Include: now.include.commit,
		Base: now.state.Head, Start: now.files, Submodules: now.listed.Repositories, Exclude: r.Checkout.Exclude(), Included: now.include.what,
	}
	if away.Found {
		ref.Base, ref.Start, ref.Behind = away.Note.Base, away.Note.Start, away.Note.Behind
	} else if validBranch(now.state.Branch) {
		ref.Line = now.state.Branch
	}
	if ref.Shallow, err = r.Checkout.Shallow(); err != nil {
		return Ref{}, fmt.Errorf("read which commits the shallow clone %s has: %w", r.Checkout.Top, err)
	}
	return ref, h.bring(ctx, r, &ref)
}

// Return takes in what a run has left, and says what is there of it now, as a worktree's end does:
// the worktree is made, with run.Branch, only if something was changed; that of a resumed agent is
// brought to the new state; the contents of its changes are kept in the file store. It may be called
// again with the same result, also after the host was killed in the middle of it. nil as a result:
// the run's machine is lost, and what is at home is described; a nil worktree then means that there
// is none. On an error the objects of the result stay in the store, and its line names them; it may
// come with a worktree that is there all the same.
func (h *Home) Return(ctx context.Context, run lifecycle.Run, result *Result) (*lifecycle.Worktree, error) {
	if result == nil {
		return h.trees.Stay(ctx, run)
	}
	if err := result.check(); err != nil {
		return h.stay(ctx, run, fmt.Errorf("what the subagent left on the other machine cannot be read: %w", err))
	}
	contents := make(chan error, 1)
	go func() { contents <- h.takeContents(ctx, result.Contents) }()
	left, err := h.takeCheckout(ctx, run, *result)
	wrong := <-contents
	if err != nil && result.Bundle != "" {
		err = fmt.Errorf("%w (%s in the server's store pawl_results has it)", err, result.Bundle)
	}
	if wrong != nil {
		err = together(err, fmt.Errorf("keep what the subagent's files held: %w", wrong))
	}
	if err == nil {
		h.drop(ctx, result.Bundle, result.Contents)
	}
	return left, err
}

// stay is Stay with an error that came before.
func (h *Home) stay(ctx context.Context, run lifecycle.Run, wrong error) (*lifecycle.Worktree, error) {
	left, err := h.trees.Stay(ctx, run)
	return left, together(wrong, err)
}

func (h *Home) takeCheckout(ctx context.Context, run lifecycle.Run, result Result) (*lifecycle.Worktree, error) {
	ref := result.Ref
	if result.Bundle == "" {
		left, err := h.trees.Stay(ctx, run)
		if left == nil && err == nil { // as of any worktree in which nothing was changed
			left = &lifecycle.Worktree{Path: h.trees.PathOf(run), Branch: run.Branch, Base: ref.Base, Behind: ref.Behind}
		}
		return left, err
	}
	r, err := h.trees.Repository(run.ID)
	top := ""
	if err == nil {
		top, err = h.top(ctx, r)
	}
	if err == nil {
		err = h.takeBundle(ctx, r, result)
	}
	if err != nil {
		return h.stay(ctx, run, fmt.Errorf("bring home what the subagent left on the other machine: %w", err))
	}
	return h.trees.Arrive(ctx, run, worktree.Arrival{
		Top: top, Base: ref.Base, Start: ref.Start, Behind: ref.Behind, FromHead: ref.Head, FromFiles: ref.files(),
		Head: result.Head, Files: result.Files, Branches: result.Branches,
	})
}

// takeBundle takes the commits of a result into the repository.
func (h *Home) takeBundle(ctx context.Context, r git.Repository, result Result) error {
	file, err := fetch(ctx, h.scratch(), h.results, result.Bundle)
	if errors.Is(err, os.ErrNotExist) { // it was taken before
		if has, wrong := r.HasCommit(ctx, result.Files); has || wrong != nil {
			return wrong
		}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	head, err := readHeader(file)
	if err == nil {
		err = result.fits(head)
	}
	if err == nil {
		err = h.takePack(ctx, r, file, head, result.Ref)
	}
	if err == nil {
		err = r.Whole(ctx, result.commits(), head.needs)
	}
	if err != nil {
		return fmt.Errorf("%s does not apply: %w", result.Bundle, err)
	}
	return nil
}

// takePack takes the pack of a bundle. What it builds on may be gone from the repository meanwhile; it
// is in the store then.
func (h *Home) takePack(ctx context.Context, r git.Repository, file *os.File, head header, ref Ref) error {
	err := r.Take(ctx, file, head.needs)
	if !errors.Is(err, git.ErrLacks) {
		return err
	}
	for _, name := range ref.Bundles {
		if wrong := h.takeSent(ctx, r, name); wrong != nil {
			return together(err, wrong)
		}
	}
	if head, err = readHeader(file); err != nil {
		return err
	}
	return r.Take(ctx, file, head.needs)
}

func (h *Home) takeSent(ctx context.Context, r git.Repository, name string) error {
	file, err := fetch(ctx, h.scratch(), h.checkouts, name)
	if err != nil {
		return err
	}
	defer file.Close()
	head, err := readHeader(file)
	if err != nil {
		return err
	}
	return r.Take(ctx, file, head.needs)
}

// takeContents takes what a run kept in its file store into that of the session.
func (h *Home) takeContents(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	file, err := fetch(ctx, h.scratch(), h.results, name)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was taken before
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := h.files.Take(file); err != nil {
		return err
	}
	return h.files.Sync()
}

// drop deletes objects of a result that is at home.
func (h *Home) drop(ctx context.Context, names ...string) {
	for _, name := range names {
		if name == "" {
			continue
		}
		if err := h.results.Delete(ctx, name); err != nil {
			slog.Warn("delete what has come back from another machine", "object", name, "error", err)
		}
	}
}

// scratch is a folder for large files that are open for a while.
func (h *Home) scratch() string {
	folder := h.trees.Scratch()
	_ = os.MkdirAll(folder, 0o700) // whoever makes a file there finds out
	return folder
}

// validBranch reports whether a name is one of the plain names of branches, which are valid for git and
// on every file system.
func validBranch(name string) bool {
	if name == "" || len(name) > 200 || strings.Trim(name, plainCharacters) != "" {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || part[0] == '-' || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") || strings.Contains(part, "..") {
			return false
		}
	}
	return true
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-"
