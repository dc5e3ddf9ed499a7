package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"pawl/tools"
	"pawl/tools/mcp"
)

// doctorStart is how long each server may take to start while a doctor waits.
const doctorStart = 5 * time.Second

// examineServers starts the servers that may be started, and says of each how that
// went, and of the others why they were not. Offline, nothing is started.
func (e *examination) examineServers(ctx context.Context) {
	findings := []finding{}
	for _, name := range slices.Sorted(maps.Keys(e.settings.MCP)) {
		if !e.settings.MCP[name].On() {
			findings = append(findings, finding{Name: name, Level: levelInfo, Says: "config.toml: switched off", Value: "off"})
		}
	}
	wanted := serversOf(e.settings)
	theirs, about := e.projectServers()
	findings = append(findings, about...)
	wanted = append(wanted, theirs...)
	if e.offline {
		for _, s := range wanted {
			findings = append(findings, finding{Name: s.Name, Level: levelInfo, Says: s.From + ", " + placeOf(s) + ": not started, offline", Value: "offline"})
		}
	} else {
		findings = append(findings, e.started(ctx, wanted)...)
	}
	if len(findings) == 0 {
		findings = []finding{{Name: "servers", Level: levelInfo, Says: "none: [mcp.NAME] in config.toml names them, or a folder's " + mcp.ProjectFile}}
	}
	e.add("MCP", findings...)
}

// started starts servers, waits for how it goes, and ends them.
func (e *examination) started(ctx context.Context, specs []mcp.Spec) []finding {
	servers := newServers(e.world.folder, e.world.environ, &tools.Launcher{Containment: tools.Containment(e.settings.Tools.Containment)}, doctorStart)
	defer servers.Close()
	servers.Start(specs...)
	servers.Settled(ctx)
	var findings []finding
	for i, status := range servers.Status() {
		findings = append(findings, serverFinding(specs[i], status))
	}
	return findings
}

// serverFinding is how one server stands.
func serverFinding(s mcp.Spec, status mcp.Status) finding {
	found := finding{Name: s.Name, Level: levelOK, Value: string(status.State)}
	found.Says = fmt.Sprintf("%s, %s: starts, %s", s.From, placeOf(s), plural(status.Tools, "tool"))
	if status.State != mcp.Ready {
		found.Level = levelNote
		found.Says = fmt.Sprintf("%s, %s: %s", s.From, placeOf(s), orDefault(status.Why, "it was not waited for"))
		found.Do = "its tools are missing until it starts; Pawl works without"
	}
	if status.Said != "" {
		found.More = []string{"it last said: " + status.Said}
	}
	return found
}

// projectServers are those of the folder that may be started, and what there is to
// say of the others.
func (e *examination) projectServers() ([]mcp.Spec, []finding) {
	p := e.project
	if p.misfit != nil {
		return nil, []finding{{Name: mcp.ProjectFile, Level: levelNote, Says: p.misfit.Error(), Do: "mend it: none of its servers can be used"}}
	}
	if p.trusts(p.servers) {
		return p.specs, nil
	}
	var findings []finding
	for _, s := range p.specs {
		found := finding{
			Name: s.Name, Level: levelNote, Value: "untrusted",
			Says: s.From + ", " + placeOf(s) + ": not started, nobody has trusted it", Do: "pawl asks about it when you open it here",
		}
		if p.servers.said == distrusted {
			found.Level, found.Says, found.Do = levelInfo, s.From+", "+placeOf(s)+": not started, you said never", ""
		}
		findings = append(findings, found)
	}
	return nil, findings
}

// placeOf is a server's program or address without what may be a key: arguments,
// or what stands behind a question mark.
func placeOf(s mcp.Spec) string {
	if len(s.Command) > 0 {
		return s.Command[0]
	}
	if at, err := url.Parse(s.URL); err == nil && at.Host != "" {
		return at.Scheme + "://" + at.Host + at.Path
	}
	return "no address"
}
