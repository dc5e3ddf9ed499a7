package app

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"pawl/internal/project"
	"pawl/internal/trust"
)

// Foreign names, in one line, the folder's files for other agents that were not mentioned
// before; empty if there are none.
func (h *Session) Foreign(ctx context.Context) string {
	found := project.ForeignFiles(h.World.Folder)
	if len(found) == 0 {
		return ""
	}
	name := trust.Folder{Path: h.World.Folder}.Name("")
	fact := "foreign:" + strings.TrimPrefix(name, "trust:")
	known, err := h.Store.Fact(ctx, fact)
	if err != nil {
		slog.Warn("look up which files were named", "error", err)
		return ""
	}
	told := strings.Split(known, "\n")
	news := slices.DeleteFunc(slices.Clone(found), func(one string) bool { return slices.Contains(told, one) })
	if len(news) == 0 {
		return ""
	}
	if err := h.Store.SetFact(ctx, fact, strings.Join(append(told, news...), "\n")); err != nil {
		slog.Warn("remember which files were named", "error", err)
	}
	return project.ForeignWords(news)
}
