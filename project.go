package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/store"
	"pawl/tools/git"
	"pawl/tools/mcp"
)

// project is what a folder's own files want of Pawl: somebody else's wishes. They are
// read once, so what is shown is what is used, whatever becomes of the files.
//
//	.mcp.json, .pawl/config.toml, types, git's settings ─► parts, a file each
//	  ─► recall: what was said about just this content
//	  ─► trusted ones are used; of the others one question shows all, or a line names them
type project struct {
	folder   string
	parts    []*part
	servers  *part // each nil where the folder has none
	settings *part
	kinds    *part
	git      *part

	specs    []mcp.Spec
	layer    *settings.Project
	types    types.Found
	checkout git.Checkout
	misfit   error    // .mcp.json is no list of servers
	trouble  []string // lines about what of the rest can be used neither way
	lifted   bool     // --trust: it is trusted in this call, but for what commands left
}

// part is one thing that needs trust.
type part struct {
	trust   trust.Folder
	file    string   // it is remembered by
	brief   string   // what it is, for people
	wants   string   // what would come of it, in a line
	says    []string // what is in it, a line each
	content string   // what trust in it depends on

	said  trust.Answer
	shown []string // when something was last said, which may have been of other content
	left  bool     // this content appeared while a command ran: see leavings
}

// asks reads the folder's wishes, and what was said of them. lift trusts all but what
// commands left.
func (b *base) asks(ctx context.Context, lift bool) (*project, error) {
	p := b.wishes(lift)
	sums := map[string]string{}
	for _, one := range p.parts {
		sums[one.file] = trust.Digest(one.content)
	}
	lost, err := b.lost(ctx, b.world.folder, sums)
	if err != nil {
		return nil, err
	}
	for _, one := range p.parts {
		one.trust.Facts = b.facts()
		if one.said, one.shown, err = one.trust.Of(ctx, one.file, one.content); err != nil {
			return nil, err
		}
		left, err := b.facts().Fact(ctx, leftName(one.file, sums[one.file]))
		if err != nil {
			return nil, err
		}
		one.left = left != "" || lost[one.file]
	}
	return p, nil
}

// wishes are what a folder's files want, of which nothing is known yet.
func (b *base) wishes(lift bool) *project {
	p := &project{folder: b.world.folder, lifted: lift, types: b.findTypes(), checkout: git.Look(b.world.folder)}
	p.readServers(b.settings.MCP)
	p.readSettings(b)
	p.readTypes()
	p.readGit()
	return p
}

// asksUnopened is asks for a command that needs no database, and makes none.
func (b *base) asksUnopened(ctx context.Context) (*project, error) {
	opened, err := store.Open(ctx, b.folders.Database(), store.Options{ReadOnly: true})
	if err == nil { // else nothing was said, or it is doctor's to say what is wrong
		b.store = opened
		defer func() {
			b.store = nil
			_ = opened.Close() // it was only read
		}()
	}
	return b.asks(ctx, false)
}

func (p *project) add(one part) *part {
	if one.trust.Path == "" {
		one.trust.Path = p.folder
	}
	p.parts = append(p.parts, &one)
	return &one
}

// readServers finds the folder's MCP servers. A name that the user has given to a
// server, also to one that is switched off, is not the project's to give.
func (p *project) readServers(own map[string]settings.Server) {
	content, err := readWhole(p.folder, mcp.ProjectFile, longestProjectFile)
	if err != nil {
		p.misfit = fmt.Errorf("%s: %w", mcp.ProjectFile, err)
	}
	if content == "" {
		return
	}
	p.specs, p.misfit = mcp.ParseProject([]byte(content))
	p.specs = slices.DeleteFunc(p.specs, func(s mcp.Spec) bool {
		_, taken := own[s.Name]
		return taken
	})
	if len(p.specs) > 0 {
		p.servers = p.add(part{
			file: mcp.ProjectFile, content: content, says: saysOfServers(p.specs),
			brief: words.Count(len(p.specs), "MCP server") + " of " + mcp.ProjectFile,
			wants: fmt.Sprintf("%s wants to start or reach %s, to give models their tools:", mcp.ProjectFile, words.Count(len(p.specs), "MCP server")),
		})
	}
}

// readSettings finds the folder's settings.
func (p *project) readSettings(b *base) {
	content, err := readWhole(p.folder, settings.ProjectFile, longestProjectFile)
	switch {
	case err != nil:
		p.trouble = append(p.trouble, fmt.Sprintf("%s: %v", settings.ProjectFile, err))
		return
	case content == "":
		return
	}
	layer, err := settings.ParseProject(settings.ProjectFile, content, p.folder)
	if err == nil {
		err = checkHooks(layer.Hooks())
	}
	if err != nil {
		p.trouble = append(p.trouble, strings.Split(err.Error(), "\n")...)
		return
	}
	var not []string
	if model := layer.Model(); model != "" && (b.models.Check(model) != nil || b.models.Missing(model) != "") {
		layer = layer.WithoutModel()
		not = []string{fmt.Sprintf("%s: the model %q is not available here", settings.ProjectFile, model)}
	}
	says, unused := layer.Against(b.settings)
	for _, one := range unused {
		not = append(not, one.Error())
	}
	if len(says) == 0 {
		p.trouble = append(p.trouble, not...)
		return
	}
	for _, line := range not {
		says = append(says, "not used: "+line)
	}
	layer, scripts := layer.Sealed()
	p.layer = layer
	p.settings = p.add(part{
		file: settings.ProjectFile, content: content + scripts, says: says, brief: "the settings of " + settings.ProjectFile,
		wants: settings.ProjectFile + " wants to set these, where they are stricter than yours:",
	})
}

// readTypes finds the folder's types of subagents.
func (p *project) readTypes() {
	theirs := p.types.Project
	if len(theirs.Types) == 0 {
		return
	}
	p.kinds = p.add(part{
		file: ".pawl/agents", content: theirs.Content, says: saysOfTypes(theirs.Types), brief: words.Count(len(theirs.Types), "agent type"),
		wants: fmt.Sprintf("It has %s, whose instructions subagents follow:", words.Count(len(theirs.Types), "agent type")),
	})
}

// readGit finds what makes git run a program here.
func (p *project) readGit() {
	if says := p.checkout.Says; len(says) > 0 {
		p.git = p.add(part{
			trust: trust.Folder{Path: p.checkout.Top}, file: ".git", content: p.checkout.Content, says: says, brief: "git settings that run programs",
			wants: "Git runs the programs that its settings here name, even when a model only looks at what has changed:",
		})
	}
}

// trusts says whether a part may be used; what is not there may.
func (p *project) trusts(one *part) bool {
	return one == nil || one.said == trust.Trusted || p.lifted && !one.left
}

// wary says that something here is not trusted: then the user's rules that allow
// commands do not hold in this folder. Where --trust speaks for the folder, what a command
// left is only not used; but what it left of git's is obeyed by git in any command.
func (p *project) wary() bool {
	return slices.ContainsFunc(p.parts, func(one *part) bool { return !p.trusts(one) && (!p.lifted || one == p.git) })
}

// ofProject says whether a type is one of the folder's.
func (p *project) ofProject(kind agent.Type) bool {
	return slices.ContainsFunc(p.types.Project.Types, func(t agent.Type) bool { return t.Source == kind.Source })
}

// unseen are the parts that nobody has said anything about, as they are now.
func (p *project) unseen() []*part {
	return slices.DeleteFunc(slices.Clone(p.parts), func(one *part) bool { return p.trusts(one) || one.said != trust.Unseen })
}

// decide remembers what was said of some parts.
func (p *project) decide(ctx context.Context, parts []*part, said trust.Answer) error {
	var all []error
	for _, one := range parts {
		all = append(all, one.trust.Remember(ctx, one.file, one.content, said, one.says))
	}
	return errors.Join(all...)
}

// leftOut names what is not used without trust, and why; empty where nothing is.
func (p *project) leftOut() string {
	var names []string
	for _, one := range p.parts {
		if !p.trusts(one) {
			names = append(names, one.brief)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case p.lifted && p.wary():
		return enumerated(names) + ", which appeared or changed while Pawl ran a command, so each command needs a yes: --trust does not cover that; start pawl in a terminal to be asked about it"
	case p.lifted:
		return enumerated(names) + ", which appeared or changed while Pawl ran a command: --trust does not cover that; start pawl in a terminal to be asked about it"
	}
	return enumerated(names) + ", which nobody has trusted, so each command needs a yes: start pawl in a terminal to be asked about it, or trust it for one call with --trust"
}

// enumerated joins names as people do.
func enumerated(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// heed uses what is trusted: settings and types. Servers are started later.
func (h *house) heed(ctx context.Context, lift bool) error {
	asked, err := h.asks(ctx, lift)
	if err != nil {
		return err
	}
	h.project = *asked
	h.types = h.project.types
	if !h.project.trusts(h.project.kinds) {
		h.types = h.types.Untrusted()
	}
	if h.project.settings != nil && h.project.trusts(h.project.settings) {
		h.settings, err = settings.Load(h.folders.ConfigFile(), h.world.environ, h.project.layer)
	}
	h.wary = h.project.wary()
	return asUsage(err)
}
