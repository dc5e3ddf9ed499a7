package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/tools/mcp"
)

// unwatched reports that nobody sees servers that start late: then runs wait for them.
func (h *Session) unwatched() bool { return !h.onScreen && !h.inEditor }

func (h *Session) startServers() {
	h.Servers = base.NewServers(mcp.Options{
		Folder: h.World.Folder, Environ: h.World.Environ, Wait: h.unwatched(), Late: h.warnLate,
		Launcher: h.launcher(""), Withheld: h.Models.Withheld(),
	})
	h.elsewhere = append(h.elsewhere, prompts(h.Servers))
	if h.Options.Idle {
		return
	}
	h.Servers.Start(base.ServersOf(h.Settings)...)
	if err := h.Project.ServersError; err != nil {
		h.Servers.Start(mcp.Spec{Name: mcp.ProjectFile, From: mcp.ProjectFile, Wrong: err.Error()})
	}
	if h.Project.Trusts(h.Project.Servers) {
		h.Servers.Start(h.Project.Specs...)
	}
}

// ServerWarning is the status line's text about servers that are down or late; empty if there are none.
func ServerWarning(all []mcp.Status) string {
	down, late := 0, 0
	var logins []string
	for _, s := range all {
		switch {
		case s.Login != "":
			logins = append(logins, s.Name)
		case s.Why != "": // even while it is being restarted
			down++
		case s.Missed:
			late++
		}
	}
	switch {
	case len(logins) == 1:
		return "mcp: pawl mcp login " + logins[0]
	case len(logins) > 1:
		return fmt.Sprintf("mcp: %d need a login", len(logins))
	case down > 0:
		return fmt.Sprintf("mcp: %d of %d down", down, len(all))
	case late > 0:
		return fmt.Sprintf("mcp: %d of %d still starting", late, len(all))
	}
	return ""
}

// warnLate writes to standard error, without a screen, which servers a prompt waits for.
func (h *Session) warnLate(names []string, longest time.Duration) {
	h.World.Tell("waiting for the MCP server %s to start, %v at most (start_timeout)", strings.Join(names, ", "), longest)
}

// WarnDown writes to standard error which servers are down: without a screen there is no status
// line, and an answer without their tools may be worse.
func (h *Session) WarnDown() {
	for _, s := range h.Servers.Status() {
		switch {
		case s.Login != "":
			h.World.Tell("the MCP server %s: %s", s.Name, s.Why)
		case s.State == mcp.Down:
			h.World.Tell("the MCP server %s is down: %s (pawl doctor says more)", s.Name, s.Why)
		}
	}
}

// resources implements tools.Resources with what MCP servers have.
func (h *Session) resources(name string) (func(context.Context) (agent.Result, string, error), bool) {
	server, uri, ok := h.Servers.Named(name)
	return func(ctx context.Context) (agent.Result, string, error) { return h.Servers.Read(ctx, server, uri) }, ok
}
