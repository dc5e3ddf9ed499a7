package hosted

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pawl/internal/fleet"
	"pawl/internal/rewind"
	"pawl/ui/headless"
)

// rewindLimit is how long a host may take to put files back.
const rewindLimit = 10 * time.Minute

// Rewind has the host take the session back, or say what that would do.
func (s *Session) Rewind(ctx context.Context, order headless.RewindOrder) (result rewind.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, rewindLimit)
	defer cancel()
	line, _, err := fleet.AskLine(ctx, s.conn, struct {
		Type string `json:"type"`
		headless.RewindOrder
	}{"rewind", order}, rewind.LineType)
	if err != nil {
		return result, err
	}
	if err := json.Unmarshal(line, &result); err != nil {
		return result, fmt.Errorf("read what was taken back: %w", err)
	}
	return result, nil
}
