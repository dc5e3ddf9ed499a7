package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"pawl/agent/commands"
	"pawl/tools/mcp"
)

// promptPrefix begins the names of commands that are prompts of MCP servers.
const promptPrefix = "mcp__"

// errPromptGone is the error of a prompt that its server has taken back since it was listed.
var errPromptGone = errors.New("its server no longer has it")

// prompts are the prompts of MCP servers as commands that people type.
func prompts(servers *mcp.Servers) commands.Elsewhere {
	return commands.Elsewhere{
		List: func() (all []commands.Command) {
			for _, p := range servers.Prompts() {
				all = append(all, commands.Command{
					Name: p.Command(), Description: p.Description, Hint: p.Hint(), Source: "the MCP server " + p.Server, Owner: "server",
				})
			}
			return all
		},
		Expand: func(r commands.Request) (commands.Expanded, error) {
			all := servers.Prompts()
			i := slices.IndexFunc(all, func(p mcp.Prompt) bool { return p.Command() == r.Command.Name })
			if i < 0 {
				return commands.Expanded{}, errPromptGone
			}
			arguments, err := all[i].Fill(commands.Split(r.Args))
			if err != nil {
				return commands.Expanded{}, err
			}
			got, err := servers.Prompt(r.Context, all[i].Server, all[i].Name, arguments)
			return commands.Expanded{Text: got.Text, Images: got.Images}, err // it names no files: those are the person's to name
		},
	}
}

// awaitPrompts waits for servers that start where a message begins with a prompt of one.
func (h *Session) awaitPrompts(ctx context.Context, text string) {
	if name, _, ok := commands.Parse(text); ok && strings.HasPrefix(name, promptPrefix) {
		h.Servers.Tools(ctx)
	}
}
