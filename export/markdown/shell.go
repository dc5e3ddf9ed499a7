package markdown

import (
	"context"
	"fmt"
	"strings"

	"pawl/export/book"
)

// commands writes the shells: commands in the background and those of the user, which have no transcript.
func (w *writer) commands(ctx context.Context) error {
	if len(w.Shells) == 0 {
		return nil
	}
	w.printf("## Shells\n\n")
	for _, short := range w.Shells {
		run, err := w.Whole(ctx, short.ID)
		if err != nil {
			return err
		}
		code := ""
		if run.ExitCode != nil {
			code = fmt.Sprintf(", exit code %d", *run.ExitCode)
		}
		w.printf("### %s%s%s\n\n", w.Name(run.ID), w.outcome(run.ID), code)
		if run.UserShell() {
			w.printf("- Command: %s\n- Run by the user in %s\n\n", w.code(run.Command, book.LongLine), w.NameOf(run.Parent))
		} else {
			w.printf("- Command: %s\n- For: %s\n- Called by %s with %s\n\n",
				w.code(run.Command, book.LongLine), w.code(run.Description, book.LongLine), w.inline(run.ParentRun), w.code(string(run.Call), book.LongLine))
		}
		if strings.TrimSpace(run.Output()) != "" {
			w.block(run.Output())
		}
	}
	return w.buf.Flush()
}
