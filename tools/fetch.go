package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/content"
)

//go:embed fetch.md
var fetchText string

type fetchInput struct {
	URL string `json:"url"`
	Raw bool   `json:"raw"`
}

// Fetch gets a page of the web as text.
func Fetch(web *Web) agent.Tool {
	in := newInput[fetchInput]("fetch", `{"type": "object", "additionalProperties": false, "required": ["url"], "properties": {
		"url": {"type": "string", "minLength": 1, "description": "the whole address, with https:// or http://"},
		"raw": {"type": "boolean", "description": "the source of a page, not its text"}}}`)
	read := func(raw json.RawMessage) (fetchInput, *url.URL, error) {
		args, err := in.decode(raw)
		if err != nil {
			return args, nil, err
		}
		at, err := parseAddress(args.URL)
		if err != nil {
			err = fmt.Errorf("fetch: %w", err)
		}
		return args, at, err
	}
	return agent.Tool{
		Spec:  agent.ToolSpec{Name: "fetch", Description: fetchText, Schema: in.text},
		Label: labelOf("url"),
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			_, at, err := read(call.Input)
			if err == nil {
				err = web.refuses(at)
			}
			if err != nil {
				return agent.Effect{}, err
			}
			return agent.Effect{Kind: agent.EffectFetch, Subject: at.String()}, nil
		},
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, at, err := read(call.Input)
			if err != nil {
				return agent.Fault(err.Error())
			}
			got, err := web.get(ctx, at)
			if err != nil {
				return agent.Fault(err.Error())
			}
			return got.result(args.Raw)
		},
	}
}

// result is an answer for the model: where it came from, and its text.
func (a answer) result(raw bool) agent.Result {
	if a.elsewhere != nil {
		return agent.Result{Text: fmt.Sprintf("%s redirects to another host (%s): fetch %s if that is what you want", a.at, a.status, a.elsewhere)}
	}
	kind := mediaOf(a.kind, a.body)
	if content.IsPicture(kind) && a.code < 400 {
		result, err := picture(a.at.String(), kind, int64(len(a.body)), strings.NewReader(string(a.body)))
		if err != nil {
			return agent.Fault(err.Error())
		}
		return result
	}
	if !textual(kind, a.body) {
		return agent.Fault(fmt.Sprintf("%s is binary (%s, %s): fetch gives text and pictures; curl -O in shell would save it", a.at, kind, words.Size(int64(len(a.body)))))
	}
	text := decoded(a.kind, a.body)
	if kind == "text/html" && !raw {
		text = readable(text, a.at)
	}
	notes := []string{fmt.Sprintf("%s, %s", a.at, a.status)}
	if a.cut {
		notes = append(notes, "cut at "+words.Size(fetchBytes))
	}
	head := "[" + strings.Join(notes, "; ") + "]"
	if strings.TrimSpace(text) == "" {
		text = "(no text)"
	}
	view := agent.PlainView{Text: fmt.Sprintf("%s, %s, %s", a.at, a.status, words.Size(int64(len(a.body))))}
	return agent.Result{Text: head + "\n\n" + strings.TrimSpace(text), View: view, IsError: a.code >= http.StatusBadRequest}
}
