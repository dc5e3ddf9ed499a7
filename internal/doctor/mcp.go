package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"pawl/internal/base"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/tools/mcp"
	"pawl/tools/process"
)

// doctorStart is how long each server may take to start, unless it has a start_timeout of its
// own.
const doctorStart = 10 * time.Second

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
			findings = append(findings, Finding{Name: s.Name, Level: levelInfo, Says: s.From + ", " + placeOf(s) + ": not started, offline", Value: "offline"})
		}
	} else {
		findings = append(findings, e.started(ctx, wanted)...)
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "servers", Level: levelInfo, Says: "none: add them under [mcp.NAME] in config.toml, or in a folder's " + mcp.ProjectFile}}
	}
	e.add("MCP", findings...)
}

// started starts servers, waits until each is ready or has failed, and ends them.
func (e *Examination) started(ctx context.Context, specs []mcp.Spec) []Finding {
	servers := base.NewServers(mcp.Options{
		Folder: e.world.Folder, Environ: e.world.Environ, StartLimit: doctorStart,
		Launcher: &process.Launcher{Containment: process.Containment(e.settings.Tools.Containment)},
	})
	defer servers.Close()
	servers.Start(specs...)
	servers.Settled(ctx)
	var findings []Finding
	for i, status := range servers.Status() {
		findings = append(findings, serverFinding(specs[i], status))
	}
	return findings
}

func serverFinding(s mcp.Spec, status mcp.Status) Finding {
	found := Finding{Name: s.Name, Level: levelOK, Value: string(status.State)}
	found.Says = fmt.Sprintf("%s, %s: starts, %s", s.From, placeOf(s), words.Count(status.Tools, "tool"))
	if status.State != mcp.Ready {
		found.Level = levelNote
		found.Says = fmt.Sprintf("%s, %s: %s", s.From, placeOf(s), cmp.Or(status.Why, "it was not waited for"))
		found.Do = "its tools are missing until it starts; Pawl works without"
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
			Says: s.From + ", " + placeOf(s) + ": not started, nobody has trusted it", Do: "pawl asks about it when you open it here",
		}
		if p.Servers.Said == trust.Distrusted {
			found.Level, found.Says, found.Do = levelInfo, s.From+", "+placeOf(s)+": not started, you said never", ""
		}
		findings = append(findings, found)
	}
	return nil, findings
}

// placeOf is a server's program or address without the parts that may hold a key: arguments and
// the query.
func placeOf(s mcp.Spec) string {
	if len(s.Command) > 0 {
		return s.Command[0]
	}
	if at, err := url.Parse(s.URL); err == nil && at.Host != "" {
		return at.Scheme + "://" + at.Host + at.Path
	}
	return "no address"
}
