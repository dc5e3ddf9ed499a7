package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pawl/agent/mask"
	"pawl/export"
	"pawl/export/book"
	"pawl/export/formats"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/lifecycle"
)

// screenExport is an export that the screen asks for: to the file that it names, or else under a
// free name into the folder of exports.
type screenExport struct {
	as      formats.Options
	file    string
	command string // named in errors as another way to write it
	report  func(done, total int64)
}

// exportByKey exports the session as the screen asks, and returns the path.
func (h *screen) exportByKey(ctx context.Context, as formats.Options, file string, report func(done, total int64)) (string, error) {
	h.Exporting.Lock()
	defer h.Exporting.Unlock()
	info, err := h.Store.Session(ctx, string(h.Root))
	if err != nil {
		return "", errors.New("there is nothing to export yet")
	}
	if _, err := h.Opening.Wait(ctx); err != nil {
		return "", err
	}
	snap, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return "", err
	}
	source, err := stored.SourceOf(ctx, h.Base, info, h.Files)
	if err != nil {
		return "", err
	}
	return exportFromScreen(ctx, h.Base, screenExport{as, file, "pawl export " + string(h.Root), report}, source, snap.Seq)
}

// exportFromScreen exports a session and returns the absolute path. Without a format it uses that
// of the file's name.
func exportFromScreen(ctx context.Context, b *base.Base, asked screenExport, source book.Source, upto lifecycle.Seq) (string, error) {
	as, file, command := asked.as, asked.file, asked.command
	if as.Format == "" {
		as.Format = formats.Of(file)
	}
	if err := as.Check(); err != nil {
		return "", err
	}
	source = export.Reporting(source, as, upto, asked.report)
	name := exportName(source.Session, as.Format, mask.New(source.Secrets))
	if file != "" {
		path, err := fileNamed(b.World.Folder, file, name)
		if err != nil {
			return "", err
		}
		err = stored.Export(ctx, path, false, as, source, upto)
		if errors.Is(err, export.ErrExists) {
			err = fmt.Errorf("%w; %s --force -o %s writes over it", err, command, path)
		}
		return path, stored.Elsewhere(err, command+" -o FILE")
	}
	folder := b.Folders.Exports()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", stored.Elsewhere(err, command+" -o FILE")
	}
	for {
		path := export.Unique(filepath.Join(folder, name))
		switch err := stored.Export(ctx, path, false, as, source, upto); {
		case errors.Is(err, export.ErrExists): // another took the name meanwhile
		case err != nil:
			return "", stored.Elsewhere(err, command+" -o FILE")
		default:
			return path, nil
		}
	}
}

// fileNamed is the absolute path of a typed file name, relative to here. In a folder the file
// gets the given name.
func fileNamed(here, typed, name string) (string, error) {
	path := typed
	if rest, ok := strings.CutPrefix(typed, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(here, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return filepath.Join(path, name), nil
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(typed, string(filepath.Separator)):
		return "", fmt.Errorf("there is no folder %s: make it first", path)
	}
	return path, nil
}

// How many letters of an export's name come from the session's title, and from the end of its
// id, which makes it unique.
const (
	titled    = 40
	idLetters = 8
)

// exportName is the file name of an export: what the session is about, when it began, and the
// end of its id, which is enough for pawl show.
func exportName(s book.Session, format formats.Format, hide mask.Mask) string {
	parts := []string{slug(hide.Text(s.Title)), s.Created.Local().Format("2006-01-02"), slugOfID(string(s.ID)) + "." + format.Ending()}
	if parts[0] == "" {
		parts[0] = "session"
	}
	return strings.Join(parts, "-")
}

// slug turns a text into a part of a file name: its first words in lower case.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := ""
	for _, word := range words {
		if len(name)+len(word)+1 > titled {
			break
		}
		name = strings.TrimPrefix(name+"-"+word, "-")
	}
	return name
}

// slugOfID is the end of an id; an id from a file could hold a path.
func slugOfID(id string) string {
	safe := strings.TrimSuffix(strings.TrimPrefix(export.Name(lifecycle.SessionID(id), formats.Markdown), "pawl-"), ".md")
	return safe[max(0, len(safe)-idLetters):]
}
