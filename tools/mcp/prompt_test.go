package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// addExtras gives the server of a scene prompts and resources.
func addExtras(s *sdk.Server, scene string) {
	user := func(text string) *sdk.PromptMessage {
		return &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: text}}
	}
	s.AddPrompt(&sdk.Prompt{
		Name: "review", Description: "reviews\na change", Arguments: []*sdk.PromptArgument{{Name: "number", Required: true}, {Name: "focus", Description: "what to look at"}},
	}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
			user(fmt.Sprintf("Review %s, %s.", r.Params.Arguments["number"], r.Params.Arguments["focus"])),
			{Role: "user", Content: &sdk.ImageContent{MIMEType: "image/png", Data: []byte("a picture")}},
		}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "talk", Title: "an example"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{user("Hello?"), {Role: "assistant", Content: &sdk.TextContent{Text: "Hello."}}}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "empty"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "refused"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return nil, errors.New("not\ntoday")
	})
	if scene == "hostile" {
		s.AddPrompt(&sdk.Prompt{Name: "a b/\x1b[2J"}, nil)
	}
	read := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		switch r.Params.URI {
		case "note:///one":
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "first line\nsecond line\n"}}}, nil
		case "note:///long":
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: strings.Repeat("x", 2*longestSaid)}}}, nil
		case "note:///picture":
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "image/png", Blob: []byte("a picture")}}}, nil
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "one"}, {URI: r.Params.URI + "/2", MIMEType: "application/zip", Blob: []byte("PK")}}}, nil
	}
	for _, name := range []string{"one", "long", "picture"} {
		s.AddResource(&sdk.Resource{URI: "note:///" + name, Name: name, Description: "the note\n" + name}, read)
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "day:///{date}", Name: "days"}, read)
}

func TestPromptsOfServersAreListedAndWritten(t *testing.T) {
	s := housed(t, itself(t, "own", "hostile"))
	s.Tools(t.Context())
	var names []string
	for _, p := range s.Prompts() {
		names = append(names, strings.TrimSpace(p.Command()+" "+p.Hint()))
	}
	require.Equal(t, []string{"mcp__own__empty", "mcp__own__refused", "mcp__own__review NUMBER [FOCUS]", "mcp__own__talk"}, names, "one that nobody can type is left out")
	require.Equal(t, "reviews a change", s.Prompts()[2].Description)
	require.Equal(t, "an example", s.Prompts()[3].Description)

	got, err := s.Prompt(t.Context(), "own", "review", map[string]string{"number": "42", "focus": "the tests"})
	require.NoError(t, err)
	require.Equal(t, "Review 42, the tests.\n\n[a picture: image/png, 9 bytes]", got.Text)
	require.Equal(t, []agent.Image{{MediaType: "image/png", Data: []byte("a picture")}}, got.Images)
	got, err = s.Prompt(t.Context(), "own", "talk", nil)
	require.NoError(t, err)
	require.Equal(t, "user: Hello?\n\nassistant: Hello.", got.Text)
	for name, says := range map[string]string{"empty": "gave no text for empty", "refused": "the MCP server own says: not today", "none": "the MCP server own says: "} {
		_, err = s.Prompt(t.Context(), "own", name, nil)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err = s.Prompt(t.Context(), "other", "x", nil)
	require.EqualError(t, err, "there is no MCP server other")
}

func TestWordsFillTheArgumentsOfAPrompt(t *testing.T) {
	p := Prompt{Server: "own", Name: "review", Arguments: []Argument{{Name: "number", Required: true}, {Name: "focus"}}}
	for words, want := range map[string]map[string]string{
		"42":                    {"number": "42"},
		"42 all of it":          {"number": "42", "focus": "all of it"},
		"focus=tests 42":        {"number": "42", "focus": "tests"},
		"a=b":                   {"number": "a=b"},
		"number=42 focus=a b=c": {"number": "42", "focus": "a"},
	} {
		got, err := p.Fill(strings.Fields(words))
		if strings.Contains(words, "b=c") {
			require.EqualError(t, err, `review takes nothing of "b=c": /mcp__own__review NUMBER [FOCUS]`)
			continue
		}
		require.NoError(t, err, words)
		require.Equal(t, want, got, words)
	}
	_, err := p.Fill(nil)
	require.EqualError(t, err, "review needs number: /mcp__own__review NUMBER [FOCUS]")
}

func TestResourcesOfServersAreListedAndRead(t *testing.T) {
	s := housed(t, itself(t, "own", ""))
	s.Tools(t.Context())
	require.Len(t, s.Resources(10), 3)
	require.Len(t, s.Resources(2), 2)
	require.Equal(t, 3, s.Status()[0].Resources)
	require.Equal(t, 4, s.Status()[0].Prompts)
	for _, r := range s.Resources(10) {
		server, uri, ok := s.Named(r.Mention())
		require.True(t, ok)
		require.Equal(t, []string{"own", r.URI}, []string{server, uri})
	}
	for _, other := range []string{"other:note:///one", "own", "own:", "", ":x"} {
		_, _, ok := s.Named(other)
		require.False(t, ok, other)
	}
	got, note, err := s.Read(t.Context(), "own", "note:///one")
	require.NoError(t, err)
	require.Equal(t, []string{"first line\nsecond line\n", "2 lines"}, []string{got.Text, note})
	got, note, err = s.Read(t.Context(), "own", "note:///picture")
	require.NoError(t, err)
	require.Len(t, got.Images, 1)
	require.Equal(t, "1 picture", note)
	got, note, err = s.Read(t.Context(), "own", "note:///long")
	require.NoError(t, err)
	require.Less(t, len(got.Text), longestSaid+200)
	require.Equal(t, "a part of 1 line", note)
	got, _, err = s.Read(t.Context(), "own", "day:///today")
	require.NoError(t, err)
	require.Equal(t, "[day:///today]\none\n[day:///today/2: application/zip, 2 bytes, no text]", got.Text)
	_, _, err = s.Read(t.Context(), "own", "nothing:///x")
	require.ErrorContains(t, err, "the MCP server own says: ")
}
