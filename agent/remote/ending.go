package remote

import (
	"log/slog"
	"strings"
	"time"

	"pawl/lifecycle"
)

// finish reads the remaining messages of a dead worker, and returns when none of its
// requests is running.
func (c *workerConn) finish() {
	c.pipe.toChild.Close() // pending writes fail
	_ = c.pipe.fromChild.SetReadDeadline(time.Now().Add(drainLimit))
	c.wait()
}

// leave returns when none of the worker's requests is running, and leaves the worker as it is.
func (c *workerConn) leave() {
	c.pipe.close()
	c.wait()
}

func (c *workerConn) wait() {
	<-c.over
	c.end()
	c.calls.Wait()
	c.host.Commands.connect(nil)
}

// keepRest records text of the open step that arrived but was not recorded.
func (c *workerConn) keepRest() {
	run, shown := c.port.Run(), c.latest
	recorded := ""
	if run.TextStep == run.Step {
		recorded = run.Partial
	}
	rest, ok := strings.CutPrefix(shown.Text, recorded)
	if !ok || rest == "" || shown.Step != run.Step {
		return
	}
	if err := c.port.Record(nil, lifecycle.Text{Text: rest}); err != nil {
		slog.Error("the last text of a worker was not saved", "run", run.ID, "error", err)
	}
}
