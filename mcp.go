package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/tools"
	"pawl/tools/mcp"
	"pawl/ui"
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

// project is a folder's own list of servers: somebody else's wish.
type project struct {
	content string
	specs   []mcp.Spec
	err     error // it is no list
}

// projectOf reads it; nothing runs for that. A name that the user has given to a
// server, also to one that is switched off, is not the project's to give.
func projectOf(folder string, own map[string]settings.Server) project {
	p := project{content: readSome(folder, mcp.ProjectFile, longestProjectFile)}
	if p.content == "" {
		return p
	}
	p.specs, p.err = mcp.ParseProject([]byte(p.content))
	p.specs = slices.DeleteFunc(p.specs, func(s mcp.Spec) bool {
		_, taken := own[s.Name]
		return taken
	})
	return p
}

// newServers makes the house of servers for a folder; nothing is started yet.
func newServers(folder string, environ []string, launcher *tools.Launcher, limit time.Duration) *mcp.Servers {
	return mcp.New(mcp.Options{
		Folder: folder, Launcher: launcher, HTTP: wire.Client(), Environ: environ,
		Withheld: modelVariables(), Version: versionText(), StartLimit: limit,
	})
}

// startServers starts what may be started, in the background. What the folder wants
// and nobody has seen is asked about on the screen; elsewhere it is left out, and
// that is said.
func (h *house) startServers(ctx context.Context, trustFolder bool) error {
	h.servers = newServers(h.world.folder, h.world.environ, &tools.Launcher{Containment: tools.Containment(h.settings.Tools.Containment), Hide: !h.settings.Tools.Debuggable}, 0)
	h.servers.Start(serversOf(h.settings)...)
	p := projectOf(h.world.folder, h.settings.MCP)
	if p.err != nil {
		h.servers.Start(mcp.Spec{Name: mcp.ProjectFile, From: mcp.ProjectFile, Wrong: p.err.Error()})
	}
	if len(p.specs) == 0 {
		return nil
	}
	t := trust{h.store, h.world.folder}
	said, err := t.of(ctx, mcp.ProjectFile, p.content)
	if err != nil {
		return err
	}
	switch {
	case said == trusted || trustFolder:
		h.servers.Start(p.specs...)
	case h.attended && said == unseen:
		h.stranger = p.stranger(t, h.servers)
	case !h.attended:
		fmt.Fprintf(h.world.err, "pawl: left out %s of %s, which nobody has trusted: pawl asks about it, --trust trusts this folder for one call\n", plural(len(p.specs), "MCP server"), mcp.ProjectFile)
	}
	return nil
}

// stranger is the question about servers that nobody has seen.
func (p project) stranger(t trust, servers *mcp.Servers) *ui.Stranger {
	return &ui.Stranger{
		Title: fmt.Sprintf("%s of this folder wants to start or reach %s, to give models their tools. Do you trust it?", mcp.ProjectFile, plural(len(p.specs), "MCP server")),
		Says:  p.says(),
		Decide: func(ctx context.Context, trustIt bool) error {
			said := distrusted
			if trustIt {
				said = trusted
				servers.Start(p.specs...) // also where the answer cannot be kept
			}
			return t.remember(ctx, mcp.ProjectFile, p.content, said)
		},
	}
}

// says tells each server in lines: what would be started or reached, what it is
// given, and which of the user's variables it asks for.
func (p project) says() []string {
	var lines []string
	for _, s := range p.specs {
		if s.Wrong != "" {
			lines = append(lines, s.Name+": cannot be used, "+s.Wrong)
			continue
		}
		lines = append(lines, s.Name+": "+s.Brief())
		if given := s.Given(); len(given) > 0 {
			lines = append(lines, "    is given "+strings.Join(given, ", "))
		}
		if reads := s.Reads(); len(reads) > 0 {
			lines = append(lines, "    reads from your environment: "+strings.Join(reads, ", "))
		}
	}
	return lines
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
