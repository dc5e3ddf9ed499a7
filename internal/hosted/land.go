package hosted

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pawl/internal/fleet"
	"pawl/internal/landing"
	"pawl/ui/headless"
)

// landLimit is how long a host may take to merge and land: git looks at the whole checkout.
const landLimit = 10 * time.Minute

// Land has the host land what a subagent changed. The result is there beside an error too, if the host
// gave one: what of the plan could not be landed.
func (s *Session) Land(ctx context.Context, order headless.LandOrder) (landing.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, landLimit)
	defer cancel()
	line, _, err := fleet.AskLine(ctx, s.conn, struct {
		Type string `json:"type"`
		headless.LandOrder
	}{"land", order}, landing.LineType)
	read := landing.Line{}
	if len(line) > 0 {
		if wrong := json.Unmarshal(line, &read); wrong != nil && err == nil {
			err = fmt.Errorf("read what was landed: %w", wrong)
		}
	}
	return read.Result, err
}
