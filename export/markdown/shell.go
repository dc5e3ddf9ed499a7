package markdown

import (
	"context"
	"fmt"
	"strings"

	"pawl/export/book"
)

// commands writes the shells: commands in the background, which have no transcript.
func (p *writer) commands(ctx context.Context) error {
	if len(p.Shells) == 0 {
		return nil
	}
	p.printf("## Shells\n\n")
	for _, short := range p.Shells {
		run, err := p.Whole(ctx, short.ID)
		if err != nil {
			return err
		}
		code := ""
		if run.ExitCode != nil {
			code = fmt.Sprintf(", exit code %d", *run.ExitCode)
		}
		p.printf("### %s%s%s\n\n", p.Name(run.ID), p.outcome(run.ID), code)
		p.printf("- Command: %s\n- For: %s\n- Called by %s with %s\n\n",
			p.code(run.Command, book.LongLine), p.code(run.Description, book.LongLine), p.inline(run.ParentRun), p.code(string(run.Call), book.LongLine))
		if strings.TrimSpace(run.Output()) != "" {
			p.block(run.Output())
		}
	}
	return p.w.Flush()
}
