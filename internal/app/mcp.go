package app

import (
	"fmt"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/tools/mcp"
	"pawl/tools/process"
)

// unwatched says that nobody sees what comes late: runs wait for servers then.
func (h *Session) unwatched() bool { return !h.onScreen && !h.inEditor }

// startServers starts what may be started, in the background.
func (h *Session) startServers() {
	h.Servers = base.NewServers(mcp.Options{
		Folder: h.World.Folder, Environ: h.World.Environ, Wait: h.unwatched(), Late: h.tellLate,
		Launcher: &process.Launcher{Containment: process.Containment(h.Settings.Tools.Containment), Hide: !h.Settings.Tools.Debuggable},
	})
	h.Servers.Start(base.ServersOf(h.Settings)...)
	if err := h.Project.Misfit; err != nil {
		h.Servers.Start(mcp.Spec{Name: mcp.ProjectFile, From: mcp.ProjectFile, Wrong: err.Error()})
	}
	if h.Project.Trusts(h.Project.Servers) {
		h.Servers.Start(h.Project.Specs...)
	}
}

// Ailing is the status line's word on the servers; empty where all is well.
func Ailing(all []mcp.Status) string {
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
func (h *Session) tellLate(names []string, longest time.Duration) {
	fmt.Fprintln(h.World.Err, string(sanitize.Line(fmt.Sprintf("pawl: waiting for the MCP server %s to start, %v at most (start_timeout)", strings.Join(names, ", "), longest))))
}

// TellDown says on standard error which servers are down: without a screen there is
// no status line, and an answer without their tools may be a worse one.
func (h *Session) TellDown() {
	for _, s := range h.Servers.Status() {
		if s.State == mcp.Down {
			fmt.Fprintln(h.World.Err, string(sanitize.Line(fmt.Sprintf("pawl: the MCP server %s is down: %s (pawl doctor says more)", s.Name, s.Why))))
		}
	}
}
