package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/tools"
	"pawl/tools/mcp"
)

// serversOf are the user's own servers, by name.
func serversOf(s settings.Settings) []mcp.Spec {
	var specs []mcp.Spec
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if one := s.MCP[name]; one.On() {
			specs = append(specs, mcp.Spec{
				Name: name, From: "config.toml", Command: one.Command, URL: one.URL,
				Env: one.Env, Headers: one.Headers, Limit: time.Duration(one.Timeout), Start: time.Duration(one.StartTimeout),
			})
		}
	}
	return specs
}

// newServers makes the house of servers; nothing is started yet. What is the same for
// all is put in here.
func newServers(o mcp.Options) *mcp.Servers {
	o.HTTP, o.Withheld, o.Version = wire.Client(), models.Variables(), base.VersionText()
	return mcp.New(o)
}

// unwatched says that nobody sees what comes late: runs wait for servers then.
func (h *house) unwatched() bool { return !h.onScreen && !h.inEditor }

// startServers starts what may be started, in the background.
func (h *house) startServers() {
	h.servers = newServers(mcp.Options{
		Folder: h.World.Folder, Environ: h.World.Environ, Wait: h.unwatched(), Late: h.tellLate,
		Launcher: &tools.Launcher{Containment: tools.Containment(h.Settings.Tools.Containment), Hide: !h.Settings.Tools.Debuggable},
	})
	h.servers.Start(serversOf(h.Settings)...)
	if err := h.project.Misfit; err != nil {
		h.servers.Start(mcp.Spec{Name: mcp.ProjectFile, From: mcp.ProjectFile, Wrong: err.Error()})
	}
	if h.project.Trusts(h.project.Servers) {
		h.servers.Start(h.project.Specs...)
	}
}

// ailing is the status line's word on the servers; empty where all is well.
func ailing(all []mcp.Status) string {
	down, late := 0, 0
	for _, s := range all {
		switch {
		case s.Why != "": // also while it is tried again
			down++
		case s.Missed:
			late++
		}
	}
	switch {
	case down > 0:
		return fmt.Sprintf("mcp: %d of %d down", down, len(all))
	case late > 0:
		return fmt.Sprintf("mcp: %d of %d still starting", late, len(all))
	}
	return ""
}

// tellLate says on standard error, where there is no screen, what a prompt waits for.
func (h *house) tellLate(names []string, longest time.Duration) {
	fmt.Fprintln(h.World.Err, string(sanitize.Line(fmt.Sprintf("pawl: waiting for the MCP server %s to start, %v at most (start_timeout)", strings.Join(names, ", "), longest))))
}

// tellDown says on standard error which servers are down: without a screen there is
// no status line, and an answer without their tools may be a worse one.
func (h *house) tellDown() {
	for _, s := range h.servers.Status() {
		if s.State == mcp.Down {
			fmt.Fprintln(h.World.Err, string(sanitize.Line(fmt.Sprintf("pawl: the MCP server %s is down: %s (pawl doctor says more)", s.Name, s.Why))))
		}
	}
}
