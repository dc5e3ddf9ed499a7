package servers

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/project"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/tools/mcp"
)

// New is pawl mcp: pawl mcp list, where nothing else is said.
func New(w *base.World) *cobra.Command {
	cmd := newListCommand(w)
	cmd.Use = "mcp"
	cmd.GroupID = command.GroupSetup
	cmd.Short = "List, add and remove MCP servers, and log in to them."
	cmd.Long = "List the MCP servers of yours and of this folder, add and remove them, and log in to them."
	cmd.AddCommand(newListCommand(w), newAddCommand(w), newRemoveCommand(w), newLoginCommand(w), newLogoutCommand(w), newServeCommand(w))
	return cmd
}

// known are the servers that are set up: the user's, also those that are off, and the folder's.
type known struct {
	base    *base.Base
	project *project.Project
	own     []mcp.Spec
	off     map[string]bool // servers of the user's that are switched off
}

// withServers reads which servers are set up.
func withServers(ctx context.Context, w *base.World, do func(known) error) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	p, err := project.ReadUnopened(ctx, b)
	if err != nil {
		return err
	}
	k := known{base: b, project: p, own: base.AllServers(b.Settings), off: map[string]bool{}}
	for name, one := range b.Settings.MCP {
		k.off[name] = !one.On()
	}
	return do(k)
}

func (k known) all() []mcp.Spec { return slices.Concat(k.own, k.project.Specs) }

func (k known) trusted() bool { return k.project.Trusts(k.project.Servers) }

// find returns a server that may be reached.
func (k known) find(name string) (mcp.Spec, error) {
	var names []string
	for _, s := range k.all() {
		if names = append(names, s.Name); s.Name != name {
			continue
		}
		if s.Project && !k.trusted() {
			return s, errors.New(name + " is a server of " + mcp.ProjectFile + ", which nobody has trusted: start pawl here to be asked about it")
		}
		return s, nil
	}
	return mcp.Spec{}, noServer(name, names)
}

func noServer(name string, names []string) error {
	if len(names) == 0 {
		return system.Usage("no MCP server " + quoted(name) + ": there are none; pawl mcp add adds one")
	}
	return system.Usage("no MCP server " + quoted(name) + words.DidYouMean(name, names) + " (pawl mcp list lists them)")
}

// completeServers offers the servers that are set up, at the first argument.
func completeServers(w *base.World) cobra.CompletionFunc {
	return command.FirstArgument(func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		own, _ := settings.Load(settings.FindFolders().ConfigFile(), w.Environ)
		var all []cobra.Completion
		for _, s := range base.AllServers(own) {
			all = append(all, command.Described(s.Name, s.Place()))
		}
		return all, command.AsListed
	})
}
