package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/tools"
	"pawl/tools/mcp"
)

// longestProjectFile bounds a folder's list of servers, in bytes.
const longestProjectFile = 1 << 20

// serversOf are the user's own servers, by name.
func serversOf(s settings.Settings) []mcp.Spec {
	var specs []mcp.Spec
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if one := s.MCP[name]; one.On() {
			specs = append(specs, mcp.Spec{
				Name: name, From: "config.toml", Command: one.Command, URL: one.URL,
				Env: one.Env, Headers: one.Headers, Limit: time.Duration(one.Timeout),
			})
		}
	}
	return specs
}

// newServers makes the house of servers for a folder; nothing is started yet.
func newServers(folder string, environ []string, launcher *tools.Launcher, limit time.Duration) *mcp.Servers {
	return mcp.New(mcp.Options{
		Folder: folder, Launcher: launcher, HTTP: wire.Client(), Environ: environ,
		Withheld: modelVariables(), Version: versionText(), StartLimit: limit,
	})
}

// startServers starts what may be started, in the background.
func (h *house) startServers() {
	h.servers = newServers(h.world.folder, h.world.environ, &tools.Launcher{Containment: tools.Containment(h.settings.Tools.Containment), Hide: !h.settings.Tools.Debuggable}, 0)
	h.servers.Start(serversOf(h.settings)...)
	if err := h.project.misfit; err != nil {
		h.servers.Start(mcp.Spec{Name: mcp.ProjectFile, From: mcp.ProjectFile, Wrong: err.Error()})
	}
	if h.project.trusts(h.project.servers) {
		h.servers.Start(h.project.specs...)
	}
}

// ailing is the status line's word on the servers; empty where all is well.
func ailing(all []mcp.Status) string {
	down := 0
	for _, s := range all {
		if s.Why != "" { // also while it is tried again
			down++
		}
	}
	if down == 0 {
		return ""
	}
	return fmt.Sprintf("mcp: %d of %d down", down, len(all))
}

// tellDown says on standard error which servers are down: without a screen there is
// no status line, and an answer without their tools may be a worse one.
func (h *house) tellDown() {
	for _, s := range h.servers.Status() {
		if s.State == mcp.Down {
			fmt.Fprintln(h.world.err, string(sanitize.Line(fmt.Sprintf("pawl: the MCP server %s is down: %s (pawl doctor says more)", s.Name, s.Why))))
		}
	}
}
