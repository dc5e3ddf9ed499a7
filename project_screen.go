package main

import (
	"context"
	"fmt"
	"log/slog"

	"pawl/agent/settings"
	"pawl/internal/trust"
	"pawl/lifecycle"
	"pawl/ui"
)

// reopen opens this session again once its user has trusted the folder: all that is
// read when a session begins then goes by that. What the files hold by now is held
// against what was shown; if it is something else, it is asked about again.
func (h *house) reopen(ctx context.Context, ending ui.Ending) (*house, error) {
	hello := ui.Hello{Words: "trusted until it changes; /permissions revokes it"}
	if err := ending.Next.Trust.Decide(context.WithoutCancel(ctx), true); err != nil {
		slog.Error("remember what is trusted", "error", err)
		hello = ui.Hello{Words: "your answer applies until you quit; it could not be saved: " + err.Error(), Trouble: true}
	}
	w, c := h.world, h.command
	c.Continue, c.Session = false, ""
	if _, unsaid := h.store.Session(ctx, string(h.root)); unsaid == nil {
		c.Session = string(h.root)
	}
	h.Close(lifecycle.CauseQuit)
	if context.Cause(ctx) != nil {
		return nil, context.Cause(ctx)
	}
	opened, err := openHouse(ctx, w, &c, attendance{attended: true})
	if err != nil {
		return nil, err
	}
	opened.hello = hello
	return opened, nil
}

// source is the file in which a rule stands: the folder's, if that names it, or the
// user's.
func (p *project) source(rule fmt.Stringer, own string) string {
	if p.settings != nil && p.trusts(p.settings) && p.layer.Names(rule.String()) {
		return settings.ProjectFile
	}
	return own
}

// rules are the answers about this folder, as /permissions lists and takes them back;
// where it is not trusted, what follows from that too.
func (p *project) rules() []ui.Rule {
	var all []ui.Rule
	for _, one := range p.parts {
		said, _, err := one.trust.Of(context.Background(), one.file, one.content)
		if err != nil || said == trust.Unseen {
			continue
		}
		text := "trust in " + one.brief
		if said == trust.Distrusted {
			text = "distrust of " + one.brief
		}
		all = append(all, ui.Rule{
			Text: text, Says: "your answer, until it changes", Later: true,
			Forget: func(ctx context.Context) error { return one.trust.Forget(ctx, one.file) },
		})
	}
	if p.wary() {
		all = append([]ui.Rule{{Text: "ask shell(*)", Says: "no rule allows a command: this folder is not trusted"}}, all...)
	}
	return all
}
