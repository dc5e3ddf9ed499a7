package host

import (
	"context"
	"fmt"

	"pawl/agent/permission"
	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/ui"
	"pawl/ui/approval"
)

func (h *screen) screenQuestions(options *ui.Options) {
	options.Permissions = h.permissions
	options.Grants = func() []lifecycle.StandingGrant { return h.Supervisor.StandingGrants(h.Root) }
	options.Revoke = func(_ context.Context, grant lifecycle.StandingGrant) error {
		return h.Supervisor.Revoke(h.Root, grant)
	}
	options.Allowed = base.ShortPath(h.Allowed.Path)
	// A yes opens the session again, which would end what works in it.
	if q := h.Project.Question(); q != nil && !h.guest {
		options.TrustPrompt = &ui.TrustPrompt{Title: q.Title, Says: q.Says, Decide: q.Decide}
	}
}

// permissions returns all rules that apply in this folder, strictest first.
func (h *screen) permissions() []approval.Rule {
	file := base.ShortPath(h.Folders.ConfigFile())
	var all []approval.Rule
	add := func(verdict string, rule permission.Rule, source string, forget func(context.Context) error) {
		all = append(all, approval.Rule{Text: fmt.Sprintf("%s %s", verdict, rule), Source: source, Forget: forget})
	}
	for _, rule := range h.Settings.Permissions.Deny {
		add("deny", rule, h.Project.RuleFile(rule, file), nil)
	}
	for _, rule := range h.Settings.Permissions.Ask {
		add("ask", rule.Rule, h.Project.RuleFile(rule, file), nil)
	}
	for _, rule := range h.Settings.Permissions.Allow {
		add("allow", rule.Rule, file, nil)
	}
	for _, rule := range h.Allowed.Rules() {
		add("allow", rule.Rule, base.ShortPath(h.Allowed.Path), func(context.Context) error { return h.Allowed.Forget(rule.String()) })
	}
	for _, said := range h.Project.Answers() {
		all = append(all, approval.Rule{Text: said.Text, Says: said.Says, Later: said.Later, Forget: said.Forget})
	}
	return all
}
