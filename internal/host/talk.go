package host

import (
	"context"

	"pawl/internal/socket"
)

func (h *host) talk(ctx context.Context, conn *socket.Conn, first []byte) {
}
