package host

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pawl/internal/base"
	"pawl/internal/clipboard"
	"pawl/tools/workspace"
	"pawl/ui"
)

// Limits of one search for names to complete: what a person finds by a few letters, and waits
// for.
const (
	namesMost = 20_000
	namesTime = 3 * time.Second
	// resourcesMost is how many of what MCP servers have is completed beside them.
	resourcesMost = 1000
)

// names are the files of a folder, and what MCP servers have to read.
func (h *screen) names(ctx context.Context, folder string) []string {
	names := h.files(ctx, folder)
	for _, r := range h.Servers.Resources(resourcesMost) {
		names = append(names, r.Mention())
	}
	return names
}

func (h *screen) files(ctx context.Context, folder string) []string {
	ctx, cancel := context.WithTimeout(ctx, namesTime)
	defer cancel()
	if folder == "" || folder == h.World.Folder {
		return h.Workspace.Names(ctx, namesMost)
	}
	w, err := workspace.Open(folder)
	if err != nil {
		slog.Error("list what can be named", "folder", folder, "error", err)
		return nil
	}
	defer w.Close() //nolint:errcheck // it was only read
	return w.Names(ctx, namesMost)
}

// clipboardOf reads the clipboard of a terminal. A picture is kept with the session; a message names it.
func (h *screen) clipboardOf(environ []string) func(context.Context) (ui.Clipping, error) {
	return func(ctx context.Context) (ui.Clipping, error) {
		copied, err := clipboard.Read(ctx, environ, h.World.Folder)
		if err != nil || copied.Picture == nil {
			return ui.Clipping{Text: copied.Text}, err
		}
		path, err := h.KeepPicture(copied.Picture, copied.Ending)
		if err != nil {
			return ui.Clipping{}, fmt.Errorf("keep the picture: %w", err)
		}
		return ui.Clipping{Picture: base.ShortPath(path)}, nil
	}
}

// droppedPicture is the name of a picture whose path the terminal pasted when its file was
// dropped: in quotes, with backslashes or as a URL. It is relative for a file in the folder, and
// empty if there is no such file.
func droppedPicture(folder, pasted string) string {
	path := unquoted(strings.TrimSpace(pasted))
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		link, err := url.Parse("file://" + rest)
		if err != nil {
			return ""
		}
		path = link.Path
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func unquoted(text string) string {
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		return strings.ReplaceAll(text[1:n-1], `'\''`, "'")
	}
	var plain strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		plain.WriteByte(text[i])
	}
	return plain.String()
}
