package workspace

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"pawl/internal/words"
)

// didYouMean words up to three paths that may have been meant by one where
// nothing stands: names like it in its folder, else files of the same name
// elsewhere. It is empty or starts with a colon.
func (w *Workspace) didYouMean(missing string) string {
	dir, base := path.Split(path.Clean(missing))
	names := []string{}
	if entries, err := w.entries(path.Clean(dir)); err == nil {
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
	}
	close := words.MostAlike(base, names, 3)
	for i, name := range close {
		close[i] = words.Path(path.Join(dir, name))
	}
	if len(close) == 0 {
		close = w.sameName(base)
	}
	if len(close) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(close, ", ") + "?"
}

// sameName finds up to three files of that name among the first few thousand
// entries of the folder.
func (w *Workspace) sameName(base string) []string {
	found, looked := []string{}, 0
	_ = w.Walk(context.Background(), ".", func(at string, entry fs.DirEntry) error {
		if looked++; looked > 5000 || len(found) == 3 {
			return fs.SkipAll
		}
		if !entry.IsDir() && strings.EqualFold(entry.Name(), base) {
			found = append(found, words.Path(at))
		}
		return nil
	})
	return found
}
