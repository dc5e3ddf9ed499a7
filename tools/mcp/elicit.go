package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// The answers to a server's question, in the protocol's words.
const (
	accepted  = "accept"
	declined  = "decline"
	dismissed = "cancel" // not answered
)

// elicited asks the person a server's question, on behalf of the call in progress. The answer is
// yes or no: a form that a yes cannot fill in is declined, and so is a request to open an
// address.
func (c *connection) elicited(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	by := c.asker()
	if by == nil || by.call.Ask == nil {
		return &sdk.ElicitResult{Action: dismissed}, nil
	}
	f, err := readForm(r.Params)
	if err != nil {
		by.call.Report(line("declined what the server asked: "+err.Error(), lineLength))
		return &sdk.ElicitResult{Action: declined}, nil
	}
	asking, stop := context.WithCancel(by.ctx)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	defer by.timer.pause()()
	answer, err := by.call.Ask(asking, f.question())
	switch {
	case err != nil || answer.By == lifecycle.DeciderNobody:
		return &sdk.ElicitResult{Action: dismissed}, nil
	case answer.Allow && (answer.By == lifecycle.DeciderPerson || answer.By == lifecycle.DeciderGrant): // a program may not answer for a person
		return &sdk.ElicitResult{Action: accepted, Content: f.content}, nil
	}
	return &sdk.ElicitResult{Action: declined}, nil
}

// form is a server's question, and what a yes sends.
type form struct {
	message string
	content map[string]any
}

// question is the form as a person sees it, with everything a yes would send.
func (f form) question() lifecycle.Question {
	sends := "A yes sends nothing but that."
	if len(f.content) > 0 {
		text, _ := json.Marshal(f.content) // it was decoded from JSON
		sends = "A yes sends " + words.Cut(string(text), 10*lineLength) + "."
	}
	return lifecycle.Question{
		Subject:   "asks: " + string(sanitize.Line(line(f.message, 5*lineLength))),
		View:      agent.EncodeView(agent.PlainView{Text: string(sanitize.Clean(sends))}),
		AlwaysAsk: "its server asks you this while the tool runs, in its own words",
	}
}

// readForm determines what a yes sends: the defaults of a form, and true for required booleans.
// The error names the first field that needs more.
func readForm(p *sdk.ElicitParams) (form, error) {
	f := form{message: p.Message, content: map[string]any{}}
	if p.Mode == "url" || p.URL != "" {
		return f, errors.New("it wants an address opened, which Pawl does not do")
	}
	var schema struct {
		Properties map[string]struct {
			Type    string   `json:"type"`
			Default any      `json:"default"`
			Enum    []string `json:"enum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	text, err := json.Marshal(p.RequestedSchema)
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		return f, errors.New("its form cannot be read")
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field, must := schema.Properties[name], slices.Contains(schema.Required, name)
		switch {
		case field.Default != nil && field.Type != "boolean":
			f.content[name] = field.Default
		case field.Type == "boolean" && (must || len(schema.Properties) == 1):
			f.content[name] = true
		case field.Default != nil:
			f.content[name] = field.Default
		case must && len(field.Enum) == 1:
			f.content[name] = field.Enum[0]
		case must:
			return f, fmt.Errorf("%s has to be filled in, and Pawl can ask only for yes or no", strings.TrimSpace(name))
		}
	}
	return f, nil
}
