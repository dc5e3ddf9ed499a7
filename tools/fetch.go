package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/content"
	"pawl/tools/web"
)

type fetchInput struct {
	URL string `json:"url"`
	Raw bool   `json:"raw"`
}

// Fetch gets a page of the web as text.
func Fetch(client *web.Client) agent.Tool {
	in := newInput[fetchInput]("fetch", `{"type": "object", "additionalProperties": false, "required": ["url"], "properties": {
		"url": {"type": "string", "minLength": 1, "description": "the whole address, with https:// or http://"},
		"raw": {"type": "boolean", "description": "the source of a page, not its text"}}}`)
	read := func(raw json.RawMessage) (fetchInput, *url.URL, error) {
		args, err := in.decode(raw)
		if err != nil {
			return args, nil, err
		}
		at, err := web.ParseAddress(args.URL)
		if err != nil {
			err = fmt.Errorf("fetch: %w", err)
		}
		return args, at, err
	}
	return agent.Tool{
		Spec:  in.spec(),
		Label: labelOf("url"),
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			_, at, err := read(call.Input)
			if err == nil {
				err = client.Refuses(at)
			}
			if err != nil {
				return agent.Effect{}, err
			}
			return agent.Effect{Kind: agent.EffectFetch, Subject: at.String()}, nil
		},
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, at, err := read(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			got, err := client.Get(ctx, at)
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				err = errCanceled
			}
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return pageResult(got, args.Raw)
		},
	}
}

// pageResult is a page for the model: where it came from, and its text.
func pageResult(p web.Page, raw bool) agent.Result {
	if p.Elsewhere != nil {
		return agent.Result{Text: fmt.Sprintf("%s redirects to another host (%s): fetch %s if that is what you want", p.At, p.Status, p.Elsewhere)}
	}
	kind := p.Type()
	if content.IsPicture(kind) && p.Code < 400 {
		result, err := picture(p.At.String(), kind, int64(len(p.Body)), strings.NewReader(string(p.Body)))
		if err != nil {
			return agent.ErrorResult(err.Error())
		}
		return result
	}
	if !p.Textual() {
		return agent.ErrorResult(fmt.Sprintf("%s is binary (%s, %s): fetch gives text and pictures; curl -O in shell would save it", p.At, kind, words.Size(int64(len(p.Body)))))
	}
	var text string
	if kind == "text/html" && !raw {
		text = p.Markdown()
	} else {
		text = p.Text()
	}
	notes := []string{fmt.Sprintf("%s, %s", p.At, p.Status)}
	if p.Cut {
		notes = append(notes, "cut at "+words.Size(int64(len(p.Body))))
	}
	head := "[" + strings.Join(notes, "; ") + "]"
	if strings.TrimSpace(text) == "" {
		text = "(no text)"
	}
	view := agent.PlainView{Text: fmt.Sprintf("%s, %s, %s", p.At, p.Status, words.Size(int64(len(p.Body))))}
	return agent.Result{Text: head + "\n\n" + strings.TrimSpace(text), View: view, IsError: p.Code >= http.StatusBadRequest}
}
