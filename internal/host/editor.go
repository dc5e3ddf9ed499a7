package host

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

	"pawl/internal/base"
	"pawl/internal/handover"
	"pawl/internal/regular"
)

// longestEdit limits, in bytes, what is read back from an editor: more than any model reads.
const longestEdit = 16 << 20

// edit opens a text in the user's editor and returns the edited text. The file is in Pawl's
// state folder, where no command of a model can write, in a folder that is removed with it:
// editors leave other files there. What an editor saved before it failed stays.
func (h *screen) edit(ctx context.Context, text string) (string, error) {
	forgetEdited(h.Folders.State, time.Now())
	folder, err := os.MkdirTemp(h.Folders.State, handover.EditFolder)
	if err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	keep := false
	defer func() {
		if !keep {
			removeEdited(folder)
		}
	}()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n" // editors end files so
	}
	path := filepath.Join(folder, handover.EditFile)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	failed := h.front.Edit(ctx, path)
	if failed == nil {
		return readEdited(path)
	}
	saved, err := readEdited(path)
	if keep = err == nil && saved != text; !keep {
		return "", failed
	}
	if ctx.Err() != nil || errors.Is(failed, handover.ErrFrontGone) { // nobody reads where it is
		h.draftEdited(context.WithoutCancel(ctx), text, saved)
	}
	return "", fmt.Errorf("%w; what was saved is in %s for a week", failed, base.ShortPath(path))
}

// draftEdited makes of what was saved in an editor the session's draft, unless that is another text than
// the one the editor was given.
func (h *screen) draftEdited(ctx context.Context, given, saved string) {
	draft, err := h.draft(ctx)
	if err == nil && (draft == "" || draft == strings.TrimSuffix(given, "\n")) {
		saved = strings.TrimSuffix(saved, "\n")
		err = h.keepDraft(ctx, saved, nil)
		h.kept.screens.AddDraft(h.Root, saved) // else what stands on another one would replace it
	}
	if err != nil {
		slog.Error("keep what was edited as a draft", "error", err)
	}
}

// forgottenEdit is the age at which a file is no longer being edited. One is left if Pawl was
// killed while an editor had it, and may hold the last text typed.
const forgottenEdit = 7 * 24 * time.Hour

// forgetEdited removes files that old.
func forgetEdited(state string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(state, handover.EditFolder+"*")) // the pattern is valid
	for _, folder := range left {
		info, err := os.Stat(folder)
		if err != nil || now.Sub(info.ModTime()) < forgottenEdit {
			continue
		}
		removeEdited(folder)
	}
}

func removeEdited(folder string) {
	if err := os.RemoveAll(folder); err != nil {
		slog.Error("remove what was edited", "error", err)
	}
}

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
		return "", fmt.Errorf("the edited text is longer than %d MB", longestEdit>>20)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}
