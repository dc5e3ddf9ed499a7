package front

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pawl/internal/models"
	"pawl/internal/regular"
	"pawl/tools/process"
)

// longestEdit bounds, in bytes, what is taken over from an editor: more than any
// model reads.
const longestEdit = 16 << 20

// edit opens a text in the user's editor and gives what is left of it. The file
// stands among Pawl's own, where no command of a model can write to it, in a folder
// that goes with it: editors leave other files beside.
func (h *screen) edit(ctx context.Context, text string) (string, error) {
	in, reads := h.World.In.(*os.File)
	out, writes := h.World.Out.(*os.File)
	if !reads || !writes {
		return "", errors.New("an editor needs a terminal")
	}
	command := process.EditorCommand(models.Lookup(h.World.Environ))
	if command == "" {
		return "", errors.New("there is no editor: set VISUAL or EDITOR to yours")
	}
	forgetEdited(h.Folders.State, time.Now())
	folder, err := os.MkdirTemp(h.Folders.State, "editor-")
	if err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	defer func() {
		if err := os.RemoveAll(folder); err != nil {
			slog.Error("remove what was edited", "error", err)
		}
	}()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n" // as editors end a file
	}
	path := filepath.Join(folder, "message.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	h.World.Lease.Begin()
	defer func() { h.World.Lease.End(time.Now()) }()
	editor := process.Editor{Command: command, Folder: h.World.Folder, Environ: h.World.Environ, In: in, Out: out}
	if err := editor.Edit(ctx, path); err != nil {
		return "", err
	}
	return readEdited(path)
}

// forgottenEdit is how old a file must be to be no longer at work on: one stays where
// Pawl was killed while an editor had it, and may hold what was typed last.
const forgottenEdit = 7 * 24 * time.Hour

// forgetEdited removes such files.
func forgetEdited(state string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(state, "editor-*")) // the pattern is right
	for _, folder := range left {
		info, err := os.Stat(folder)
		if err != nil || now.Sub(info.ModTime()) < forgottenEdit {
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			slog.Error("remove what was edited", "error", err)
		}
	}
}

// readEdited reads a file back that an editor had.
func readEdited(path string) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", fmt.Errorf("read back what was edited: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, longestEdit+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read back what was edited: %w", err)
	case len(text) > longestEdit:
		return "", fmt.Errorf("what was edited is longer than %d MB", longestEdit>>20)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}
