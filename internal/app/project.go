package app

import (
	"context"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/project"
)

// applyTrust applies the folder's trusted settings and types. Servers are started later.
func (h *Session) applyTrust(ctx context.Context, begun project.Begun, lift bool) error {
	asked, err := begun.Read(ctx, h.Base, lift)
	if err != nil {
		return err
	}
	h.Project = *asked
	h.changes.Know(asked)
	h.Types = h.Project.Types
	if !h.Project.Trusts(h.Project.Kinds) {
		h.Types = h.Types.Untrusted()
	}
	if h.Project.Settings != nil && h.Project.Trusts(h.Project.Settings) {
		h.Settings, err = settings.Load(h.Folders.ConfigFile(), h.World.Environ, h.Project.Layer)
	}
	h.untrusted = h.Project.Untrusted()
	return base.AsUsage(err)
}

// WarnLeftOut writes to standard error what is not used because nobody can be asked to trust it.
func (h *Session) WarnLeftOut(ctx context.Context) {
	if left := h.Project.NotTrusted(); left != "" {
		h.World.Tell("left out %s", left)
	}
	for _, line := range []string{h.Project.Unusable(), h.Foreign(ctx)} {
		if line != "" {
			h.World.Tell("%s", line)
		}
	}
}
