package checkout

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/tools/filestore"
	"pawl/tools/git"
)

// Result brings what the run has left to the store, under names that begin with name, such as
// "RUN/ATTEMPT". files is the folder of its file store on this machine; empty: it has none. Nobody may be
// at work in the checkout. It may be called again after an error.
func (c *Checkout) Result(ctx context.Context, results Objects, name, files string) (Result, error) {
	out := Result{Ref: c.Ref}
	type stored struct {
		size int64
		err  error
	}
	contents := make(chan stored, 1)
	go func() {
		size, err := sendContents(ctx, results, name+".files", files)
		contents <- stored{size, err}
	}()
	err := c.packUp(ctx, results, name+".bundle", &out)
	kept := <-contents
	if err == nil {
		err = kept.err
	}
	if err != nil {
		return Result{}, fmt.Errorf("send home what the subagent left: %w", err)
	}
	if kept.size > 0 {
		out.Contents, out.Sent = name+".files", out.Sent+kept.size
	}
	return out, nil
}

// sendContents brings what the file store in a folder has kept to the store, if anything.
func sendContents(ctx context.Context, results Objects, name, folder string) (int64, error) {
	if folder == "" {
		return 0, nil
	}
	pack, err := filestore.Pack(folder)
	if err != nil || pack == nil {
		return 0, err
	}
	defer pack.Close()
	info, err := pack.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), results.Put(ctx, name, pack)
}

// packUp brings the commits of the checkout to the store, and all its files as one more.
func (c *Checkout) packUp(ctx context.Context, results Objects, name string, out *Result) error {
	head, branches := git.RefsApart(c.Place.Common, c.admin)
	if head == "" {
		head = c.Ref.Head
	}
	out.Head, out.Branches = head, c.others(head, branches)
	removeAll(c.path("own"))
	if err := c.init(c.path("own"), filepath.Join(c.Place.Common, "objects")); err != nil {
		return err
	}
	pack := c.path("own", "pack")
	files, differences, err := c.cache.git.PackUp(ctx, c.path("own"), c.Place.Top, c.path("index"), git.Now{
		Was: c.Ref.files(), Base: c.Ref.Head, Head: head, Other: slices.Sorted(maps.Values(out.Branches)), Repositories: c.Ref.Submodules,
	}, pack)
	if err != nil {
		return err
	}
	if files == "" { // all is as it was
		out.Head, out.Branches = "", nil
		return nil
	}
	out.Files, out.Bundle = files, name
	for _, d := range differences {
		if d.NewMode == git.ModeRepository && !slices.Contains(c.Ref.Submodules, d.Path) {
			out.Left = append(out.Left, d.Path)
		}
	}
	out.Sent, err = sendPack(ctx, results, name, out.header(), pack)
	return err
}

// sendPack brings a bundle to the store.
func sendPack(ctx context.Context, results Objects, name string, h header, pack string) (int64, error) {
	file, err := os.Open(pack)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	text := h.text()
	return int64(len(text)) + info.Size(), results.Put(ctx, name, io.MultiReader(strings.NewReader(text), file))
}

// header is that of the result's bundle.
func (r Result) header() header {
	h := header{needs: unique([]string{r.Ref.Head, r.Ref.files()}), holds: map[string]string{filesRef: r.Files, headRef: r.Head}}
	for name, commit := range r.Branches {
		h.holds[otherRef+name] = commit
	}
	return h
}

// others are the branches with commits that are not those that the checkout began with or has checked
// out, by plain names.
func (c *Checkout) others(head string, branches map[string]string) map[string]string {
	found := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(branches)) {
		commit := branches[name]
		if commit == head || commit == c.Ref.Head || commit == c.Ref.Base || len(found) == mostBranches {
			continue
		}
		if name == c.Ref.Branch {
			name = "own" // another is checked out
		}
		plain := strings.Map(func(r rune) rune {
			if strings.ContainsRune(plainCharacters, r) && r != '/' {
				return r
			}
			return '-'
		}, name)
		if plain = strings.Trim(plain, ".-"); !validBranch(plain) || found[plain] != "" {
			plain = fmt.Sprintf("branch-%d", len(found)+1)
		}
		found[plain] = commit
	}
	return found
}
