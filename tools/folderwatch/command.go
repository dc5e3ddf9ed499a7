package folderwatch

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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
// it returns. Nil: it has changed nothing. It takes some seconds at most. Once ctx has ended, looking and
// keeping take half a second each, for all commands that have been stopped together.
func (c *Command) End(ctx context.Context) *lifecycle.FilesChanged {
	changed := &lifecycle.FilesChanged{Call: c.call, By: lifecycle.ChangedByCommand, Folder: c.w.folder}
	if c.unwatched != nil {
		changed.Unwatched = c.unwatched.Error()
		return changed
	}
	halted, done := halt(ctx)
	defer done()
	c.w.waits.Add(1)
	c.w.turn.Lock()
	defer c.w.turn.Unlock()
	c.w.waits.Add(-1)
	changed.Beside = c.w.leave(c)
	if changed.Unwatched = c.w.Unwatched(); changed.Unwatched != "" { // since it began
		return changed
	}
	c.w.takeWritten()
	deadline := time.Now().Add(walkLimit)
	k := &walk{
		w: c.w, by: judge{ended: &c.mark, first: c.w.firstMark}, helpers: make(chan struct{}, runtime.GOMAXPROCS(0)-1),
		halted: func() error { return halted(deadline) },
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

// halt says why a look goes no further: its deadline has passed, or ctx has ended a while ago. That
// counts from now on, so that those who wait for their turn meanwhile take no time each.
func halt(ctx context.Context) (halted func(deadline time.Time) error, done func() bool) {
	var stopped atomic.Pointer[time.Time]
	done = context.AfterFunc(ctx, func() {
		until := time.Now().Add(stoppedLimit)
		stopped.Store(&until)
	})
	return func(deadline time.Time) error {
		switch until := stopped.Load(); {
		case until != nil && time.Now().After(*until):
			return errStopped
		case time.Now().After(deadline):
			return errTooSlow
		}
		return nil
	}, done
}
