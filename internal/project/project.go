package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/base"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/store"
	"pawl/tools/git"
	"pawl/tools/mcp"
)

// Project is what a folder's own files want of Pawl: somebody else's wishes. They are
// read once, so what is shown is what is used, whatever becomes of the files.
//
//	.mcp.json, .pawl/config.toml, types, git's settings ─► parts, a file each
//	  ─► recall: what was said about just this content
//	  ─► trusted ones are used; of the others one question shows all, or a line names them
type Project struct {
	folder   string
	Parts    []*Part
	Servers  *Part // each nil where the folder has none
	Settings *Part
	Kinds    *Part
	git      *Part

	Specs    []mcp.Spec
	Layer    *settings.Project
	Types    types.Found
	Checkout git.Checkout
	Misfit   error    // .mcp.json is no list of servers
	Trouble  []string // lines about what of the rest can be used neither way
	lifted   bool     // --trust: it is trusted in this call, but for what commands left
}

// Part is one thing that needs trust.
type Part struct {
	trust   trust.Folder
	File    string   // it is remembered by
	Brief   string   // what it is, for people
	wants   string   // what would come of it, in a line
	Says    []string // what is in it, a line each
	content string   // what trust in it depends on

	Said  trust.Answer
	Shown []string // when something was last said, which may have been of other content
	Left  bool     // this content appeared while a command ran: see leavings
}

// Read reads the folder's wishes, and what was said of them. lift trusts all but what
// commands left.
func Read(ctx context.Context, b *base.Base, lift bool) (*Project, error) {
	p := wishes(b, lift)
	sums := map[string]string{}
	for _, one := range p.Parts {
		sums[one.File] = trust.Digest(one.content)
	}
	lost, err := lost(ctx, b, b.World.Folder, sums)
	if err != nil {
		return nil, err
	}
	for _, one := range p.Parts {
		one.trust.Facts = b.Facts()
		if one.Said, one.Shown, err = one.trust.Of(ctx, one.File, one.content); err != nil {
			return nil, err
		}
		left, err := b.Facts().Fact(ctx, leftName(one.File, sums[one.File]))
		if err != nil {
			return nil, err
		}
		one.Left = left != "" || lost[one.File]
	}
	return p, nil
}

// wishes are what a folder's files want, of which nothing is known yet.
func wishes(b *base.Base, lift bool) *Project {
	p := &Project{folder: b.World.Folder, lifted: lift, Types: b.FindTypes(), Checkout: git.Look(b.World.Folder)}
	p.readServers(b.Settings.MCP)
	p.readSettings(b)
	p.readTypes()
	p.readGit()
	return p
}

// ReadUnopened is asks for a command that needs no database, and makes none.
func ReadUnopened(ctx context.Context, b *base.Base) (*Project, error) {
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err == nil { // else nothing was said, or it is doctor's to say what is wrong
		b.Store = opened
		defer func() {
			b.Store = nil
			_ = opened.Close() // it was only read
		}()
	}
	return Read(ctx, b, false)
}

func (p *Project) add(one Part) *Part {
	if one.trust.Path == "" {
		one.trust.Path = p.folder
	}
	p.Parts = append(p.Parts, &one)
	return &one
}

// readServers finds the folder's MCP servers. A name that the user has given to a
// server, also to one that is switched off, is not the project's to give.
func (p *Project) readServers(own map[string]settings.Server) {
	content, err := readWhole(p.folder, mcp.ProjectFile, longestProjectFile)
	if err != nil {
		p.Misfit = fmt.Errorf("%s: %w", mcp.ProjectFile, err)
	}
	if content == "" {
		return
	}
	p.Specs, p.Misfit = mcp.ParseProject([]byte(content))
	p.Specs = slices.DeleteFunc(p.Specs, func(s mcp.Spec) bool {
		_, taken := own[s.Name]
		return taken
	})
	if len(p.Specs) > 0 {
		p.Servers = p.add(Part{
			File: mcp.ProjectFile, content: content, Says: saysOfServers(p.Specs),
			Brief: words.Count(len(p.Specs), "MCP server") + " of " + mcp.ProjectFile,
			wants: fmt.Sprintf("%s wants to start or reach %s, to give models their tools:", mcp.ProjectFile, words.Count(len(p.Specs), "MCP server")),
		})
	}
}

// readSettings finds the folder's settings.
func (p *Project) readSettings(b *base.Base) {
	content, err := readWhole(p.folder, settings.ProjectFile, longestProjectFile)
	switch {
	case err != nil:
		p.Trouble = append(p.Trouble, fmt.Sprintf("%s: %v", settings.ProjectFile, err))
		return
	case content == "":
		return
	}
	layer, err := settings.ParseProject(settings.ProjectFile, content, p.folder)
	if err == nil {
		err = base.CheckHooks(layer.Hooks())
	}
	if err != nil {
		p.Trouble = append(p.Trouble, strings.Split(err.Error(), "\n")...)
		return
	}
	var not []string
	if model := layer.Model(); model != "" && (b.Models.Check(model) != nil || b.Models.Missing(model) != "") {
		layer = layer.WithoutModel()
		not = []string{fmt.Sprintf("%s: the model %q is not available here", settings.ProjectFile, model)}
	}
	says, unused := layer.Preview(b.Settings)
	for _, one := range unused {
		not = append(not, one.Error())
	}
	if len(says) == 0 {
		p.Trouble = append(p.Trouble, not...)
		return
	}
	for _, line := range not {
		says = append(says, "not used: "+line)
	}
	layer, scripts := layer.Sealed()
	p.Layer = layer
	p.Settings = p.add(Part{
		File: settings.ProjectFile, content: content + scripts, Says: says, Brief: "the settings of " + settings.ProjectFile,
		wants: settings.ProjectFile + " wants to set these, where they are stricter than yours:",
	})
}

// readTypes finds the folder's types of subagents.
func (p *Project) readTypes() {
	theirs := p.Types.Project
	if len(theirs.Types) == 0 {
		return
	}
	p.Kinds = p.add(Part{
		File: ".pawl/agents", content: theirs.Content, Says: saysOfTypes(theirs.Types), Brief: words.Count(len(theirs.Types), "agent type"),
		wants: fmt.Sprintf("It has %s, whose instructions subagents follow:", words.Count(len(theirs.Types), "agent type")),
	})
}

// readGit finds what makes git run a program here.
func (p *Project) readGit() {
	if says := p.Checkout.Says; len(says) > 0 {
		p.git = p.add(Part{
			trust: trust.Folder{Path: p.Checkout.Top}, File: ".git", content: p.Checkout.Content, Says: says, Brief: "git settings that run programs",
			wants: "Git runs the programs that its settings here name, even when a model only looks at what has changed:",
		})
	}
}

// Trusts says whether a part may be used; what is not there may.
func (p *Project) Trusts(one *Part) bool {
	return one == nil || one.Said == trust.Trusted || p.lifted && !one.Left
}

// Wary says that something here is not trusted: then the user's rules that allow
// commands do not hold in this folder. Where --trust speaks for the folder, what a command
// Left is only not used; but what it left of git's is obeyed by git in any command.
func (p *Project) Wary() bool {
	return slices.ContainsFunc(p.Parts, func(one *Part) bool { return !p.Trusts(one) && (!p.lifted || one == p.git) })
}

// OfProject says whether a type is one of the folder's.
func (p *Project) OfProject(kind agent.Type) bool {
	return slices.ContainsFunc(p.Types.Project.Types, func(t agent.Type) bool { return t.Source == kind.Source })
}

// unseen are the parts that nobody has said anything about, as they are now.
func (p *Project) unseen() []*Part {
	return slices.DeleteFunc(slices.Clone(p.Parts), func(one *Part) bool { return p.Trusts(one) || one.Said != trust.Unseen })
}

// decide remembers what was said of some parts.
func (p *Project) decide(ctx context.Context, parts []*Part, said trust.Answer) error {
	var all []error
	for _, one := range parts {
		all = append(all, one.trust.Remember(ctx, one.File, one.content, said, one.Says))
	}
	return errors.Join(all...)
}

// LeftOut names what is not used without trust, and why; empty where nothing is.
func (p *Project) LeftOut() string {
	var names []string
	for _, one := range p.Parts {
		if !p.Trusts(one) {
			names = append(names, one.Brief)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case p.lifted && p.Wary():
		return words.List(names) + ", which appeared or changed while Pawl ran a command, so each command needs a yes: --trust does not cover that; start pawl in a terminal to be asked about it"
	case p.lifted:
		return words.List(names) + ", which appeared or changed while Pawl ran a command: --trust does not cover that; start pawl in a terminal to be asked about it"
	}
	return words.List(names) + ", which nobody has trusted, so each command needs a yes: start pawl in a terminal to be asked about it, or trust it for one call with --trust"
}

// longestProjectFile bounds a folder's list of servers, in bytes.
const longestProjectFile = 1 << 20
