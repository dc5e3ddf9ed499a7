package workspace

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names lists what a person may name in a message: the files and folders of the
// workspace, folders with a slash behind them, without what ignore files hide. What
// is nearest comes first, so that the first most names of a huge folder are those
// at its top. It ends with ctx, and then gives what it has.
func (w *Workspace) Names(ctx context.Context, most int) []string {
	type folder struct {
		path  string
		rules Rules
	}
	var names []string
	for todo := []folder{{".", w.RulesAt(".")}}; len(todo) > 0; todo = todo[1:] {
		dir := todo[0]
		entries, err := w.Visible(dir.path, dir.rules)
		if err != nil {
			continue // one that cannot be read has nothing to name
		}
		for _, entry := range entries {
			if len(names) == most || ctx.Err() != nil {
				return names
			}
			name := path.Join(dir.path, entry.Name())
			switch {
			case !typable(entry.Name()):
			case entry.IsDir():
				names = append(names, name+"/")
				todo = append(todo, folder{name, w.RulesIn(name, dir.rules)})
			case entry.Type().IsRegular(), entry.Type()&fs.ModeSymlink != 0:
				names = append(names, name)
			}
		}
	}
	return names
}

// typable says that a person could type the name.
func typable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}
