//go:build !linux

package socket

import (
	"context"
	"time"
)

// lookedAgain is how often the folder is looked at where the system's word for its changes is not
// used.
const lookedAgain = time.Second

// Changes rings whenever a socket may have come to the folder or gone, until ctx ends.
func (f Folder) Changes(ctx context.Context) (<-chan struct{}, error) {
	rings := make(chan struct{}, 1)
	go func() {
		ticks := time.NewTicker(lookedAgain)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
			select {
			case rings <- struct{}{}:
			default: // it rings already
			}
		}
	}()
	return rings, nil
}
