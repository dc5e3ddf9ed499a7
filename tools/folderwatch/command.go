package folderwatch

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// longCommand is how long a command in the background runs before somebody has worked beside it.
const longCommand = time.Minute

// Command is one command at work in a folder.
type Command struct {
	w         *Watch
	run       lifecycle.RunID
	call      lifecycle.CallID
	mark      mark
	unwatched error
}

// End finds what the command has changed since it began, and keeps it. The bytes are on disk when
// it returns. Nil: it has changed nothing. It takes some seconds at most, half a second once ctx
// has ended.
func (c *Command) End(ctx context.Context) *lifecycle.FilesChanged {
	changed := &lifecycle.FilesChanged{Call: c.call, By: lifecycle.ChangedByCommand, Folder: c.w.folder}
	if c.unwatched != nil {
		changed.Unwatched = c.unwatched.Error()
		return changed
	}
	c.w.waits.Add(1)
	c.w.turn.Lock()
	defer c.w.turn.Unlock()
	c.w.waits.Add(-1)
	changed.Beside = c.w.leave(c)
	c.w.takeWritten()
	deadline := time.Now().Add(walkLimit)
	k := &walk{
		w: c.w, by: judge{ended: &c.mark, first: c.w.firstMark}, helpers: make(chan struct{}, runtime.GOMAXPROCS(0)-1),
		halted: func() error {
			if time.Now().After(deadline) {
				return errTooSlow
			}
			return nil
		},
	}
	var git *fromGit
	k.blobs = sync.OnceFunc(func() { git = c.w.startGit(ctx) })
	err := k.run()
	c.w.refreshed(err)
	if err != nil {
		k.found = nil
	}
	changed.Files, changed.Unwatched = c.w.changesOf(ctx, k.found, git)
	switch lasted := c.mark.since(); {
	case err != nil:
		changed.Unwatched = err.Error()
	case c.call == "" && len(changed.Files) > 0 && changed.Unwatched == "" && lasted > longCommand:
		changed.Unwatched = fmt.Sprintf("it ran for %s: what others changed in the folder meanwhile is among this", words.Duration(lasted))
	}
	if len(changed.Files) == 0 && changed.Unwatched == "" {
		return nil
	}
	return changed
}
