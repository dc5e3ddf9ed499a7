package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
)

// longestSaid limits what a prompt or a resource becomes for a model, in characters.
const longestSaid = 100_000

// Prompts returns the prompts of the servers that are ready, by server and name. It waits for
// nothing.
func (s *Servers) Prompts() []Prompt {
	var all []Prompt
	for _, one := range s.list() {
		all = append(all, one.extras().prompts...)
	}
	return all
}

// extras are kept while the server is down: asking for one starts it again.
func (s *server) extras() extra {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offer.extra
}

// Command is the prompt as people type it, without the slash: mcp__SERVER__PROMPT. Another prompt's
// is different.
func (p Prompt) Command() string { return promptName(p.Server, p.Name) }

// promptName is empty where nobody could type it.
func promptName(server, prompt string) string {
	fits := func(r rune) bool { return unicode.IsPrint(r) && !unicode.IsSpace(r) && r != '/' }
	if prompt == "" || len(prompt) > lineLength || strings.ContainsFunc(prompt, func(r rune) bool { return !fits(r) }) {
		return ""
	}
	return "mcp__" + server + "__" + prompt
}

// Hint lists a prompt's arguments for people: REQUIRED [OPTIONAL].
func (p Prompt) Hint() string {
	var all []string
	for _, a := range p.Arguments {
		name := strings.ToUpper(a.Name)
		if !a.Required {
			name = "[" + name + "]"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// Fill gives arguments their values, from words in their order: NAME=VALUE for one of that name, and
// what is left over goes to the last. The error names one that is missing or one word too many.
func (p Prompt) Fill(words []string) (map[string]string, error) {
	values := map[string]string{}
	var left []string
	for _, word := range words {
		name, value, named := strings.Cut(word, "=")
		if named && slices.ContainsFunc(p.Arguments, func(a Argument) bool { return a.Name == name }) {
			values[name] = value
			continue
		}
		left = append(left, word)
	}
	var open []Argument
	for _, a := range p.Arguments {
		if _, set := values[a.Name]; !set {
			open = append(open, a)
		}
	}
	for i, a := range open {
		switch {
		case len(left) == 0 && a.Required:
			return nil, fmt.Errorf("%s needs %s: /%s %s", p.Name, a.Name, p.Command(), p.Hint())
		case len(left) == 0:
		case i == len(open)-1:
			values[a.Name], left = strings.Join(left, " "), nil
		default:
			values[a.Name], left = left[0], left[1:]
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("%s takes nothing of %q: /%s %s", p.Name, left[0], p.Command(), p.Hint())
	}
	return values, nil
}

// Prompt asks a server for the text of a prompt, and starts a server that is down. It returns within
// the limit of a call. The error is one line for people.
func (s *Servers) Prompt(ctx context.Context, server, name string, arguments map[string]string) (agent.Result, error) {
	got, err := asked(ctx, s, server, func(ctx context.Context, c *connection) (*sdk.GetPromptResult, error) {
		return c.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: name, Arguments: arguments})
	})
	if err != nil {
		return agent.Result{}, err
	}
	var result agent.Result
	var texts []string
	mixed := slices.ContainsFunc(got.Messages, func(m *sdk.PromptMessage) bool { return m != nil && m.Role != "user" })
	for _, m := range got.Messages {
		if m == nil {
			continue
		}
		text, image := partOf(m.Content)
		if image != nil {
			result.Images = append(result.Images, *image)
		}
		if mixed { // an example of a conversation
			text = line(string(m.Role), lineLength) + ": " + text
		}
		texts = append(texts, text)
	}
	if result.Text = clipped(strings.Join(texts, "\n\n"), longestSaid); strings.TrimSpace(result.Text) == "" {
		return result, fmt.Errorf("the MCP server %s gave no text for %s", server, line(name, lineLength))
	}
	return result, nil
}

// asked makes one request to a server by its name.
func asked[T any](ctx context.Context, s *Servers, name string, ask func(context.Context, *connection) (T, error)) (T, error) {
	var none T
	i := slices.IndexFunc(s.list(), func(one *server) bool { return one.spec.Name == name })
	if i < 0 {
		return none, fmt.Errorf("there is no MCP server %s", line(name, lineLength))
	}
	one := s.list()[i]
	within, _, cancel := limitCall(ctx, one.spec.limit())
	defer cancel()
	conn, err := one.ready(within)
	if err != nil {
		return none, one.unanswered(within, nil, err)
	}
	got, err := limited(within, conn, func(ctx context.Context) (T, error) { return ask(ctx, conn) })
	one.judge(err)
	if err != nil {
		return none, one.unanswered(within, conn, err)
	}
	return got, nil
}

// unanswered says in one line why a request that changes nothing has no answer.
func (s *server) unanswered(ctx context.Context, conn *connection, err error) error {
	said := serverError(err)
	switch {
	case errors.Is(context.Cause(ctx), errCallLimit):
		return fmt.Errorf("the MCP server %s said nothing for %v", s.spec.Name, s.spec.limit())
	case ctx.Err() != nil:
		return fmt.Errorf("the MCP server %s was not waited for", s.spec.Name)
	case conn == nil:
		return errors.New(line(err.Error(), 3*lineLength))
	case said != nil:
		return fmt.Errorf("the MCP server %s says: %s", s.spec.Name, line(said.Message, 2*lineLength))
	}
	return fmt.Errorf("the MCP server %s could not be asked: %s", s.spec.Name, why(err))
}
