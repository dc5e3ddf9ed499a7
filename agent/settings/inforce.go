package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// InForce are the settings that bear upon what agents do and may do, by dotted name, as
// they stand in the end: what was left out is there with what that means, and those
// that only change how things look are not. Values are texts, whole numbers, sums,
// truths and lists of texts. It names programs and servers, and tells no address, no
// header and no variable of theirs.
func (s Settings) InForce() map[string]any {
	all := map[string]any{
		"permission_mode":                  orDefault(s.PermissionMode, "default"),
		"subagents.max_background":         s.Subagents.MaxBackground,
		"subagents.foreground_warning":     time.Duration(s.Subagents.ForegroundWarning).String(),
		"subagents.max_auto_resumes":       s.Subagents.MaxAutoResumes,
		"subagents.background_permissions": orDefault(s.Subagents.BackgroundPermissions, "deny"),
		"tools.containment":                orDefault(s.Tools.Containment, "auto"),
		"sandbox":                          orDefault(s.Sandbox.Mode, "auto"),
		"permissions.deny":                 texts(s.Permissions.Deny),
		"permissions.ask":                  texts(s.Permissions.Ask),
		"permissions.allow":                texts(s.Permissions.Allow),
	}
	lists := map[string][]string{
		"sandbox.write": s.Sandbox.Paths(), "fetch.allow": s.Fetch.Allow,
		"mcp": slices.Sorted(maps.Keys(s.MCP)), "hooks": s.hookList(),
	}
	for name, list := range lists {
		if len(list) > 0 {
			all[name] = list
		}
	}
	for name, limit := range map[string]float64{
		"limits.max_cost": s.Limits.MaxCost, "limits.run_max_cost": s.Limits.RunMaxCost, "limits.max_tokens": float64(s.Limits.MaxTokens),
		"limits.run_max_tokens": float64(s.Limits.RunMaxTokens), "limits.max_steps": float64(s.Limits.MaxSteps),
	} {
		if limit != 0 { // which is none
			all[name] = limit
		}
	}
	return all
}

// hookList says of each hook when it is asked and what it runs.
func (s Settings) hookList() []string {
	var all []string
	for _, h := range s.Programs {
		words := append(h.Command, strings.Fields(h.Line)...)
		all = append(all, fmt.Sprintf("%s: %s", h.Event, words[0])) // its arguments may hold what is nobody's business
	}
	return all
}

func texts[R fmt.Stringer](rules []R) []string {
	all := []string{}
	for _, rule := range rules {
		all = append(all, rule.String())
	}
	return all
}

func orDefault(value, unchosen string) string {
	if strings.TrimSpace(value) == "" {
		return unchosen
	}
	return value
}
