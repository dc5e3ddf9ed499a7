package main

import (
	"context"
	"fmt"

	"pawl/agent/permission"
	"pawl/lifecycle"
	"pawl/ui"
)

// screenQuestions gives the screen what it shows of the rules.
func (h *house) screenQuestions(options *ui.Options) {
	options.Permissions = h.permissions
	options.Grants = func() []lifecycle.StandingGrant { return h.supervisor.StandingGrants(h.root) }
	options.Revoke = func(_ context.Context, grant lifecycle.StandingGrant) error {
		return h.supervisor.Revoke(h.root, grant)
	}
	options.Allowed = shorten(h.allowed.Path)
	options.Stranger = h.project.stranger()
}

// permissions are all rules that bind this folder, the strictest first.
func (h *house) permissions() []ui.Rule {
	file := shorten(h.folders.ConfigFile())
	var all []ui.Rule
	add := func(verdict string, rule permission.Rule, source string, forget func(context.Context) error) {
		all = append(all, ui.Rule{Text: fmt.Sprintf("%s %s", verdict, rule), Source: source, Forget: forget})
	}
	for _, rule := range h.settings.Permissions.Deny {
		add("deny", rule, h.project.source(rule, file), nil)
	}
	for _, rule := range h.settings.Permissions.Ask {
		add("ask", rule.Rule, h.project.source(rule, file), nil)
	}
	for _, rule := range h.settings.Permissions.Allow {
		add("allow", rule.Rule, file, nil)
	}
	for _, rule := range h.allowed.Rules() {
		add("allow", rule.Rule, shorten(h.allowed.Path), func(context.Context) error { return h.allowed.Forget(rule.String()) })
	}
	return append(all, h.project.rules()...)
}
