package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pawl/internal/base"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/tools/mcp"
)

// examineServers starts the servers that may be started and reports how that went, and why the
// others were not started. Offline, it starts none.
func (e *Examination) examineServers(ctx context.Context) {
	findings := []Finding{}
	for _, name := range slices.Sorted(maps.Keys(e.settings.MCP)) {
		if !e.settings.MCP[name].On() {
			findings = append(findings, Finding{Name: name, Level: levelInfo, Says: "config.toml: switched off", Value: "off"})
		}
	}
	wanted := base.ServersOf(e.settings)
	theirs, about := e.projectServers()
	findings = append(findings, about...)
	wanted = append(wanted, theirs...)
	if e.offline {
		for _, s := range wanted {
			findings = append(findings, Finding{Name: s.Name, Level: levelInfo, Says: s.From + ", " + s.Place() + ": not started, offline", Value: "offline"})
		}
	} else {
		findings = append(findings, e.started(ctx, wanted)...)
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "servers", Level: levelInfo, Says: "none: pawl mcp add adds one to config.toml, and a folder has them in " + mcp.ProjectFile}}
	}
	e.add("MCP", findings...)
}

// started starts servers, waits until each is ready or has failed, and ends them.
func (e *Examination) started(ctx context.Context, specs []mcp.Spec) []Finding {
	var findings []Finding
	for i, status := range base.TryServers(ctx, e.world, e.settings, specs, e.Models.Withheld()) {
		findings = append(findings, serverFinding(specs[i], status))
	}
	return findings
}

func serverFinding(s mcp.Spec, status mcp.Status) Finding {
	found := Finding{Name: s.Name, Level: levelOK, Value: string(status.State)}
	found.Says = fmt.Sprintf("%s, %s: starts, %s", s.From, s.Place(), words.Count(status.Tools, "tool"))
	if status.State != mcp.Ready {
		found.Level = levelNote
		found.Says = fmt.Sprintf("%s, %s: %s", s.From, s.Place(), cmp.Or(status.Why, "it was not waited for"))
		found.Do = "its tools are missing until it starts; Pawl works without"
		found.Next = "look at the MCP server " + s.Name + ", for it does not start"
	}
	if status.Login != "" {
		found.Do = status.Login
		found.Next = "run " + status.Login + ", for that MCP server wants a login"
	}
	if len(status.Tasks) > 0 {
		found.More = append(found.More, fmt.Sprintf("left out, as Pawl makes no calls as tasks: %s", strings.Join(status.Tasks, ", ")))
	}
	if status.Noise > 0 {
		found.Level = levelNote
		found.Do = "have it log to standard error: standard output is for messages"
		found.More = append(found.More, fmt.Sprintf("wrote %s to its standard output that Pawl passed over, first: %q", words.Count(status.Noise, "line"), status.First))
	}
	if status.Said != "" {
		found.More = append(found.More, "its last output: "+status.Said)
	}
	return found
}

// projectServers returns the folder's servers that may be started, and findings about the
// others.
func (e *Examination) projectServers() ([]mcp.Spec, []Finding) {
	p := e.project
	if p.ServersError != nil {
		return nil, []Finding{{Name: mcp.ProjectFile, Level: levelNote, Says: p.ServersError.Error(), Do: "fix it: none of its servers can be used"}}
	}
	if p.Trusts(p.Servers) {
		return p.Specs, nil
	}
	var findings []Finding
	for _, s := range p.Specs {
		found := Finding{
			Name: s.Name, Level: levelNote, Value: "untrusted",
			Says: s.From + ", " + s.Place() + ": not started, nobody has trusted it", Do: "pawl asks about it when you open it here",
		}
		if p.Servers.Said == trust.Distrusted {
			found.Level, found.Says, found.Do = levelInfo, s.From+", "+s.Place()+": not started, you said never", ""
		}
		findings = append(findings, found)
	}
	return nil, findings
}
