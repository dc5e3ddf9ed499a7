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

// Project is what the files of a folder ask of Pawl. They are read once, so what is shown is
// what is used, even if the files change.
type Project struct {
	folder   string
	Parts    []*Part
	Servers  *Part // nil if the folder has none, as the following
	Settings *Part
	Kinds    *Part
	git      *Part

	Specs        []mcp.Spec
	Layer        *settings.Project
	Types        types.Found
	Checkout     git.Checkout
	ServersError error    // .mcp.json is not a list of servers
	Problems     []string // lines about other files that cannot be used at all
	conventionParts
	lifted bool // --trust: all is trusted in this call, except what commands left
}

// Part is one thing that needs trust.
type Part struct {
	trust   trust.Folder
	File    string   // under which it is remembered
	Brief   string   // what it is
	wants   string   // what it would do, in a line
	empty   bool     // nothing in it could be used
	top     bool     // it is that of the checkout's top folder, in which Pawl does not stand
	Says    []string // what is in it, line by line
	content string   // the content that trust depends on

	Said  trust.Answer
	Shown []string // the lines shown at the last answer, perhaps for other content
	Left  bool     // this content appeared while a command ran: see CommandChanges
}

// Read reads what the folder asks for, and the answers about it. lift trusts everything except
// what commands left.
func Read(ctx context.Context, b *base.Base, lift bool) (*Project, error) {
	begun, known := Begin(b.World.Folder, b.Folders)
	known(b.Models)
	p, err := begun.Read(ctx, b, lift)
	if err == nil {
		p.complete()
	}
	return p, err
}

// Read is the function Read with what was begun. Commands and skills that are trusted are read when
// they are needed.
func (begun Begun) Read(ctx context.Context, b *base.Base, lift bool) (*Project, error) {
	p := readParts(b, lift)
	p.addConventions(<-begun)
	sums := map[string]string{}
	for _, one := range p.Parts {
		sums[one.key()] = trust.Digest(one.content)
	}
	lost, err := markLost(ctx, b, b.World.Folder, sums)
	if err != nil {
		return nil, err
	}
	for _, one := range p.Parts {
		one.trust.Facts = b.Facts()
		if one.Said, one.Shown, err = one.trust.Of(ctx, one.File, one.content); err != nil {
			return nil, err
		}
		left, err := b.Facts().Fact(ctx, leftName(one.File, sums[one.key()]))
		if err != nil {
			return nil, err
		}
		one.Left = left != "" || lost[one.key()]
	}
	p.describeUntrusted()
	return p, nil
}

// readParts reads what a folder's files ask for, but commands and skills, without the answers.
func readParts(b *base.Base, lift bool) *Project {
	p := &Project{folder: b.World.Folder, lifted: lift, Types: b.FindTypes(), Checkout: git.Look(b.World.Folder)}
	p.readServers(b.Settings.MCP)
	p.readSettings(b)
	p.noteServers(b.Settings.MCP)
	p.readTypes()
	p.readGit()
	return p
}

// ReadUnopened is Read for a command that needs no database, and creates none.
func ReadUnopened(ctx context.Context, b *base.Base) (*Project, error) {
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err == nil { // otherwise there are no answers, or doctor reports the error
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

// readServers reads the folder's MCP servers. A project cannot use the name of a server of the
// user's, even if that is switched off.
func (p *Project) readServers(own map[string]settings.Server) {
	content, err := readWhole(p.folder, mcp.ProjectFile, longestProjectFile)
	if err != nil {
		p.ServersError = fmt.Errorf("%s: %w", mcp.ProjectFile, err)
	}
	if content == "" {
		return
	}
	p.Specs, p.ServersError = mcp.ParseProject([]byte(content))
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

func (p *Project) readSettings(b *base.Base) {
	content, err := readWhole(p.folder, settings.ProjectFile, longestProjectFile)
	switch {
	case err != nil:
		p.Problems = append(p.Problems, fmt.Sprintf("%s: %v", settings.ProjectFile, err))
		return
	case content == "":
		return
	}
	layer, err := settings.ParseProject(settings.ProjectFile, content, p.folder)
	if err == nil {
		err = base.CheckHooks(layer.Hooks())
	}
	if err != nil {
		p.Problems = append(p.Problems, strings.Split(err.Error(), "\n")...)
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
		p.Problems = append(p.Problems, not...)
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

// noteServers says which types name MCP servers that are not set up: they do not get their tools.
func (p *Project) noteServers(own map[string]settings.Server) {
	for _, t := range p.Types.Types {
		for _, name := range t.Servers {
			_, mine := own[name]
			if !mine && !slices.ContainsFunc(p.Specs, func(s mcp.Spec) bool { return s.Name == name }) {
				p.Types.Notes = append(p.Types.Notes, types.Remark{Where: t.Source, Text: fmt.Sprintf("no MCP server %q is set up: %s goes without it", name, t.Name)})
			}
		}
	}
}

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

// readGit reads the settings that make git run a program here.
func (p *Project) readGit() {
	if says := p.Checkout.Says; len(says) > 0 {
		p.git = p.add(Part{
			trust: trust.Folder{Path: p.Checkout.Top}, File: ".git", content: p.Checkout.Content, Says: says, Brief: "git settings that run programs",
			wants: "Git runs the programs that its settings here name, even when a model only looks at what has changed:",
		})
	}
}

// Trusts reports whether a part may be used; nil may.
func (p *Project) Trusts(one *Part) bool {
	return one == nil || one.Said == trust.Trusted || p.lifted && !one.Left
}

// Untrusted reports that something here is not trusted: then the user's rules that allow commands do
// not apply in this folder. With --trust, what a command left is just not used; but git itself
// would obey what a command left of git's settings, whichever command runs it.
func (p *Project) Untrusted() bool {
	return slices.ContainsFunc(p.Parts, func(one *Part) bool { return !p.Trusts(one) && (!p.lifted || one == p.git) })
}

// OfProject reports whether a type is one of the folder's.
func (p *Project) OfProject(kind agent.Type) bool {
	return slices.ContainsFunc(p.Types.Project.Types, func(t agent.Type) bool { return t.Source == kind.Source })
}

// unseen are the parts that nobody has answered for with their current content.
func (p *Project) unseen() []*Part {
	return slices.DeleteFunc(slices.Clone(p.Parts), func(one *Part) bool { return p.Trusts(one) || one.Said != trust.Unseen })
}

func (p *Project) decide(ctx context.Context, parts []*Part, said trust.Answer) error {
	var all []error
	for _, one := range parts {
		all = append(all, one.trust.Remember(ctx, one.File, one.content, said, one.Says))
	}
	return errors.Join(all...)
}

// NotTrusted names what is not used because it is not trusted; empty if nothing.
func (p *Project) NotTrusted() string {
	var names []string
	for _, one := range p.Parts {
		if !p.Trusts(one) {
			names = append(names, one.Brief)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case p.lifted && p.Untrusted():
		return words.List(names) + ", which appeared or changed while Pawl ran a command, so each command needs a yes: --trust does not cover that; start pawl in a terminal to be asked about it"
	case p.lifted:
		return words.List(names) + ", which appeared or changed while Pawl ran a command: --trust does not cover that; start pawl in a terminal to be asked about it"
	}
	return words.List(names) + ", which nobody has trusted, so each command needs a yes: start pawl in a terminal to be asked about it, or trust it for one call with --trust"
}

// longestProjectFile limits a folder's list of servers and its settings, in bytes each.
const longestProjectFile = 1 << 20
