package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
	"pawl/internal/words"
)

// Resources returns what the servers that are ready have to read, at most so many. It waits for
// nothing.
func (s *Servers) Resources(most int) []Resource {
	var all []Resource
	for _, one := range s.list() {
		all = append(all, one.extras().resources...)
	}
	return all[:min(most, len(all))]
}

// Named returns the server and the address of a resource that a message names as SERVER:ADDRESS. It
// is false where no server has that name.
func (s *Servers) Named(mention string) (server, uri string, ok bool) {
	server, uri, ok = strings.Cut(mention, ":")
	if !ok || uri == "" {
		return "", "", false
	}
	for _, one := range s.list() {
		if one.spec.Name == server {
			return server, uri, true
		}
	}
	return "", "", false
}

// Read reads a resource, and starts a server that is down. It returns within the limit of a call.
// note is what it is, in a few words; the error is one line for people. The server decides what an
// address stands for, so one that it has not listed can be read too.
func (s *Servers) Read(ctx context.Context, server, uri string) (result agent.Result, note string, err error) {
	got, err := asked(ctx, s, server, func(ctx context.Context, c *connection) (*sdk.ReadResourceResult, error) {
		return c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	})
	if err != nil {
		return agent.Result{}, "", err
	}
	var texts []string
	for _, r := range got.Contents {
		if r == nil {
			continue
		}
		text, image := partOf(&sdk.EmbeddedResource{Resource: r})
		if image != nil {
			result.Images = append(result.Images, *image)
		}
		if r.Text != "" && len(got.Contents) == 1 {
			text = r.Text // its address is known
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return agent.Result{}, "", fmt.Errorf("the MCP server %s has nothing at %s", server, line(uri, lineLength))
	}
	whole := strings.Join(texts, "\n")
	result.Text = clipped(whole, longestSaid)
	switch {
	case len(result.Images) > 0:
		note = words.Count(len(result.Images), "picture")
	case len(result.Text) < len(whole):
		note = "a part of " + words.Count(words.Lines(whole), "line")
	default:
		note = words.Count(words.Lines(whole), "line")
	}
	return result, note, nil
}
