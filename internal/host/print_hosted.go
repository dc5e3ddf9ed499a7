package host

import (
	"context"
	"fmt"
	"strings"

	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/hosted"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// ownersFlags refuses what only applies where a session is opened.
func (o PrintOptions) ownersFlags(root lifecycle.SessionID) error {
	var given []string
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--model", o.Model != ""},
		{"--effort", o.Effort != ""},
		{"--permission-mode", o.Mode != ""},
		{"--trust", o.Trust},
		{"--agents", o.Agents == "stop"},
		{"--drain-timeout", o.DrainTimeout != 0},
	} {
		if flag.given {
			given = append(given, flag.name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	return system.Usage(fmt.Sprintf("session %s is already open and keeps the settings it was opened with: leave out %s", root, strings.Join(given, ", ")))
}

// printFrom answers the prompt from a session that a host drives.
func (o PrintOptions) printFrom(ctx context.Context, root lifecycle.SessionID, prompt string, w base.World) (int, error) {
	if err := o.ownersFlags(root); err != nil {
		return system.ExitUsage, err
	}
	session, err := hosted.Dial(ctx, root)
	if err != nil {
		return system.ExitError, err
	}
	defer session.Close()
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop()
	p := hosted.Prompt{Text: prompt, Format: o.OutputFormat, Partial: o.Partial, Out: w.Out, Errors: w.Err, Signals: signals}
	if o.talks() {
		p.Input = w.In
	}
	return session.Run(ctx, p)
}
