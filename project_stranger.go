package main

import (
	"context"
	"fmt"

	"pawl/agent/sanitize"
)

// tellLeftOut says on standard error what is not used, where nobody can be asked.
func (h *house) tellLeftOut(ctx context.Context) {
	if left := h.project.LeftOut(); left != "" {
		fmt.Fprintln(h.World.Err, string(sanitize.Line("pawl: left out "+left)))
	}
	if trouble := h.project.PassedOver(); trouble != "" {
		fmt.Fprintln(h.World.Err, string(sanitize.Line("pawl: "+trouble)))
	}
	if foreign := h.foreign(ctx); foreign != "" {
		fmt.Fprintln(h.World.Err, string(sanitize.Line("pawl: "+foreign)))
	}
}
