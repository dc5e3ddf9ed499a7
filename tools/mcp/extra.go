package mcp

import (
	"context"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of what else a server may offer to people.
const (
	mostPrompts   = 200
	mostResources = 1000
	mostArguments = 20
	longestURI    = 500 // characters
	// extraLimit is how long the lists of prompts and resources may take: a server's tools do not
	// wait for them longer.
	extraLimit = 3 * time.Second
)

// extra is what a server offers to people.
type extra struct {
	prompts   []Prompt
	resources []Resource
}

// Prompt is a text that a server writes when a person asks for it. Its texts may hold anything:
// pass them through the sanitiser before showing them.
type Prompt struct {
	Server, Name string
	Description  string
	Arguments    []Argument
}

// Argument is one argument of a prompt.
type Argument struct {
	Name, Description string
	Required          bool
}

// Resource is something that a server has to read. Its texts may hold anything, too.
type Resource struct {
	Server, URI       string
	Name, Description string
}

// Mention is the resource as a message names it, behind an @.
func (r Resource) Mention() string { return r.Server + ":" + r.URI }

// extra reads the lists of prompts and resources. A server whose lists cannot be read has none.
func (c *connection) extra(ctx context.Context, server string) extra {
	ctx, cancel := context.WithTimeout(ctx, extraLimit)
	defer cancel()
	has := c.session.InitializeResult()
	if has == nil || has.Capabilities == nil {
		return extra{}
	}
	var e extra
	if has.Capabilities.Prompts != nil {
		e.prompts = c.prompts(ctx, server)
	}
	if has.Capabilities.Resources != nil {
		e.resources = c.resources(ctx, server)
	}
	return e
}

func (c *connection) prompts(ctx context.Context, server string) (all []Prompt) {
	cursor := ""
	for range mostPages {
		page, err := limited(ctx, c, func(ctx context.Context) (*sdk.ListPromptsResult, error) {
			return c.session.ListPrompts(ctx, &sdk.ListPromptsParams{Cursor: cursor})
		})
		if err != nil {
			break
		}
		for _, p := range page.Prompts {
			if p != nil && len(all) < mostPrompts && promptName(server, p.Name) != "" {
				all = append(all, promptOf(server, p))
			}
		}
		if cursor = page.NextCursor; cursor == "" || len(all) == mostPrompts {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Prompt) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b Prompt) bool { return a.Name == b.Name })
}

func promptOf(server string, p *sdk.Prompt) Prompt {
	prompt := Prompt{Server: server, Name: p.Name, Description: line(orElse(p.Description, p.Title), lineLength)}
	for _, a := range p.Arguments {
		if a != nil && len(prompt.Arguments) < mostArguments {
			prompt.Arguments = append(prompt.Arguments, Argument{Name: line(a.Name, lineLength), Description: line(orElse(a.Description, a.Title), lineLength), Required: a.Required})
		}
	}
	return prompt
}

func orElse(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

func (c *connection) resources(ctx context.Context, server string) (all []Resource) {
	cursor := ""
	for range mostPages {
		page, err := limited(ctx, c, func(ctx context.Context) (*sdk.ListResourcesResult, error) {
			return c.session.ListResources(ctx, &sdk.ListResourcesParams{Cursor: cursor})
		})
		if err != nil {
			break
		}
		for _, r := range page.Resources {
			if r != nil && len(all) < mostResources && r.URI != "" && len(r.URI) <= longestURI {
				all = append(all, Resource{Server: server, URI: r.URI, Name: line(orElse(r.Title, r.Name), lineLength), Description: line(r.Description, lineLength)})
			}
		}
		if cursor = page.NextCursor; cursor == "" || len(all) == mostResources {
			break
		}
	}
	return all
}

// limited makes a request, and cuts the connection if that hangs.
func limited[T any](ctx context.Context, c *connection, ask func(context.Context) (T, error)) (T, error) {
	type answered struct {
		result T
		err    error
	}
	done := make(chan answered, 1)
	go func() {
		result, err := ask(ctx)
		done <- answered{result, err}
	}()
	select {
	case a := <-done:
		return a.result, a.err
	case <-ctx.Done():
	}
	select {
	case a := <-done:
		return a.result, a.err
	case <-time.After(callGrace):
		c.link.cut()
		var none T
		return none, context.Cause(ctx)
	}
}
