package models

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"pawl/agent"
	"pawl/agent/anthropic"
	"pawl/agent/chat"
	"pawl/agent/gemini"
	"pawl/agent/openai"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// server is a provider that can be asked which models it has.
type server interface {
	agent.Provider
	Models(ctx context.Context) ([]agent.ModelListing, error)
}

// connect makes the server of a kind.
func connect(kind string, o wire.Options, env func(string) string) server {
	switch kind {
	case "anthropic":
		return anthropic.New(o)
	case "openai":
		return openai.New(o)
	case "gemini":
		return gemini.New(o)
	case "ollama":
		return chat.NewOllama(o)
	case "vertex":
		return newVertex(o)
	case "bedrock":
		return newBedrock(o, env)
	}
	return chat.New(o)
}

// names are how the reasoning of a model is marked by the provider's package, and how in a
// transcript, see agent.Thinking.
func (p Provider) names(model string) (native, own string) {
	switch {
	case p.Kind == "chat":
		return chat.NameOpenAI, p.Name
	case p.Kind == "vertex" && isClaude(model):
		return anthropic.Name, p.Name + " claude"
	case p.Kind == "vertex":
		return gemini.Name, p.Name
	case p.Kind == "bedrock":
		return anthropic.Name, p.Name
	}
	return p.Kind, p.Name
}

// keyed asks a provider with its key, which is looked for when it is first needed. When the
// server refuses that key, another is looked for once.
type keyed struct {
	set *Set
	of  Provider

	mu    sync.Mutex
	now   server
	asked string // the key that now has
}

// Stream implements agent.Provider.
func (k *keyed) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	native, own := k.of.names(req.Model)
	req.Messages = k.renamed(req.Messages, own, native)
	var answer agent.Response
	with, err := k.ask(ctx, func(s server) (err error) {
		answer, err = s.Stream(ctx, req, on)
		return err
	})
	answer.Message = k.renamed([]agent.Message{answer.Message}, native, own)[0]
	if refused := refusedBy(err); refused != nil {
		told := *refused
		told.Message += "; check " + with.from
		return answer, &told
	}
	return answer, err
}

// Models asks which models the server has.
func (k *keyed) Models(ctx context.Context) (offers []agent.ModelListing, err error) {
	_, err = k.ask(ctx, func(s server) (err error) {
		offers, err = s.Models(ctx)
		return err
	})
	return offers, err
}

// ask asks once, and again with another key if the first was refused and there is another. It
// returns the last key.
func (k *keyed) ask(ctx context.Context, question func(server) error) (key, error) {
	with, err := k.set.keyOf(ctx, k.of, "")
	if err != nil {
		return with, err
	}
	err = k.once(with, question)
	refused := refusedBy(err)
	if refused == nil || with.text == "" || refused.Status == http.StatusForbidden && k.of.Kind != "bedrock" { // AWS answers 403 for an expired key
		return with, err
	}
	other, lost := k.set.keyOf(ctx, k.of, with.text)
	if lost != nil {
		return with, lost
	}
	if other.text == with.text {
		return with, err
	}
	return other, k.once(other, question)
}

// refusedBy is the error of a server that does not accept who asks; nil for any other.
func refusedBy(err error) *agent.ProviderError {
	var refused *agent.ProviderError
	if errors.As(err, &refused) && refused.Kind == lifecycle.FailAuth {
		return refused
	}
	return nil
}

// once asks with one key.
func (k *keyed) once(with key, question func(server) error) error {
	s, err := k.connected(with.text)
	if err != nil {
		return err
	}
	return question(s)
}

// connected is the server with this key.
func (k *keyed) connected(text string) (server, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.now != nil && k.asked == text {
		return k.now, nil
	}
	address, err := k.of.address(k.set.Env)
	if err != nil {
		return nil, failedSetup(err.Error())
	}
	headers, err := k.of.headers(k.set.Env)
	if err != nil {
		return nil, failedSetup(err.Error())
	}
	o := wire.Options{Key: text, BaseURL: address, HTTPClient: k.set.client, Headers: headers, KeyHeader: k.of.said.KeyHeader}
	if !k.of.BuiltIn {
		o.Named = k.of.Name
	}
	k.now, k.asked = connect(k.of.Kind, o, k.set.Env), text
	return k.now, nil
}

// renamed gives the reasoning, searches and signatures of one name another, in a copy: what a server
// wrote goes back to that server alone, also where several speak one API.
func (k *keyed) renamed(messages []agent.Message, from, to string) []agent.Message {
	if from == to {
		return messages
	}
	name := func(now string) string {
		switch now {
		case from:
			return to
		case to:
			return "" // another provider's of the same kind
		}
		return now
	}
	messages = slices.Clone(messages)
	for i, m := range messages {
		if !slices.ContainsFunc(m.Parts, func(p agent.Part) bool {
			return p.Thinking != nil || p.Search != nil || p.Call != nil && p.Call.Provider != ""
		}) {
			continue
		}
		messages[i].Parts = slices.Clone(m.Parts)
		for j, p := range m.Parts {
			if p.Thinking != nil {
				thinking := *p.Thinking
				thinking.Provider = name(thinking.Provider)
				messages[i].Parts[j].Thinking = &thinking
			}
			if p.Search != nil {
				search := *p.Search
				search.Provider = name(search.Provider)
				messages[i].Parts[j].Search = &search
			}
			if p.Call != nil {
				call := *p.Call
				call.Provider = name(call.Provider)
				messages[i].Parts[j].Call = &call
			}
		}
	}
	return messages
}
