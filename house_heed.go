package main

import (
	"context"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/project"
)

// heed uses what is trusted: settings and types. Servers are started later.
func (h *house) heed(ctx context.Context, lift bool) error {
	asked, err := project.Read(ctx, h.Base, lift)
	if err != nil {
		return err
	}
	h.project = *asked
	h.types = h.project.Types
	if !h.project.Trusts(h.project.Kinds) {
		h.types = h.types.Untrusted()
	}
	if h.project.Settings != nil && h.project.Trusts(h.project.Settings) {
		h.Settings, err = settings.Load(h.Folders.ConfigFile(), h.World.Environ, h.project.Layer)
	}
	h.wary = h.project.Wary()
	return base.AsUsage(err)
}
