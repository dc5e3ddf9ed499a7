package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/agent/permission"
)

// InForce is the settings in effect that influence what agents do and may do, by dotted
// name, with defaults filled in. Settings of appearance are left out. Values are strings,
// numbers, booleans and lists of strings. It names programs and servers, but no address,
// header or variable of theirs.
func (s Settings) InForce() map[string]any {
	all := map[string]any{
		"permission_mode":                  orDefault(s.PermissionMode, "default"),
		"subagents.max_background":         s.Subagents.MaxBackground,
		"subagents.foreground_warning":     time.Duration(s.Subagents.ForegroundWarning).String(),
		"subagents.max_auto_resumes":       s.Subagents.MaxAutoResumes,
		"on_hangup":                        orDefault(s.OnHangup, "detach"),
		"subagents.background_permissions": orDefault(s.Subagents.BackgroundPermissions, "deny"),
		"tools.containment":                orDefault(s.Tools.Containment, "auto"),
		"sandbox":                          orDefault(s.Sandbox.Mode, "auto"),
		"permissions.sandboxed":            orDefault(s.Permissions.Sandboxed, permission.SandboxedAsk),
		"permissions.deny":                 texts(s.Permissions.Deny),
		"permissions.ask":                  texts(s.Permissions.Ask),
		"permissions.allow":                texts(s.Permissions.Allow),
	}
	lists := map[string][]string{
		"sandbox.write": s.Sandbox.Paths(), "fetch.allow": s.Fetch.Allow,
		"mcp": slices.Sorted(maps.Keys(s.MCP)), "hooks": s.hookList(), "providers": slices.Sorted(maps.Keys(s.Providers)),
	}
	for name, list := range lists {
		if len(list) > 0 {
			all[name] = list
		}
	}
	for name, chosen := range map[string]string{"effort": s.Effort, "fallback": s.Fallback} {
		if chosen != "" {
			all[name] = chosen
		}
	}
	if s.Worktree.Dirty() {
		all["worktree.base"] = s.Worktree.Base
	}
	if s.Remote.On() { // no address, and no file
		all["remote.keys"], all["limits.max_remote"] = orDefault(s.Remote.Keys, KeysWorker), s.Limits.MaxRemote
	}
	if s.Worktree.Setup != "" {
		all["worktree.setup"] = true // its words may be private
	}
	for name, limit := range map[string]float64{
		"limits.max_cost": s.Limits.MaxCost, "limits.run_max_cost": s.Limits.RunMaxCost, "limits.max_tokens": float64(s.Limits.MaxTokens),
		"limits.day_max_cost": s.Limits.DayMaxCost, "limits.run_max_tokens": float64(s.Limits.RunMaxTokens), "limits.max_steps": float64(s.Limits.MaxSteps),
	} {
		if limit != 0 { // 0 means no limit
			all[name] = limit
		}
	}
	return all
}

// hookList names the event and the program of each hook.
func (s Settings) hookList() []string {
	var all []string
	for _, h := range s.Programs {
		words := append(h.Command, strings.Fields(h.Line)...)
		all = append(all, fmt.Sprintf("%s: %s", h.Event, words[0])) // its arguments may be private
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
