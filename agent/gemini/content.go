package gemini

import (
	"encoding/base64"
	"fmt"
	"strings"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
)

// contents puts a history into Gemini's dialect: turns alternate, so what stands
// side by side is joined; what the API refuses is left out, down to whole
// messages that hold nothing else.
func contents(model string, history []agent.Message) []*genai.Content {
	var all []*genai.Content
	for _, m := range history {
		var role genai.Role = genai.RoleUser
		var parts []*genai.Part
		switch m.Role {
		case agent.RoleAssistant:
			role, parts = genai.RoleModel, modelParts(model, m.Parts)
		case agent.RoleUser, agent.RoleTool:
			parts = userParts(m.Parts)
		}
		last := len(all) - 1
		switch {
		case len(parts) == 0:
		case last >= 0 && all[last].Role == string(role):
			all[last].Parts = append(all[last].Parts, parts...)
		default:
			all = append(all, genai.NewContentFromParts(parts, role))
		}
	}
	return all
}

// unsigned stands for the signature of a call that Gemini did not make, or made
// when it did not sign yet: from generation 3 on it refuses a turn whose first
// call has none. The value is Google's (ai.google.dev/gemini-api/docs/thought-signatures).
const unsigned = "skip_thought_signature_validator"

// modelParts is what the model said. Nothing but thoughts is nothing to say.
func modelParts(model string, said []agent.Part) []*genai.Part {
	var parts []*genai.Part
	calls, sayable := 0, false
	for _, part := range said {
		switch {
		case part.Thinking != nil:
			parts = withThought(parts, *part.Thinking)
			continue
		case part.Call != nil:
			p := callPart(*part.Call)
			if calls++; calls == 1 && len(p.ThoughtSignature) == 0 && generation(model) >= 3 {
				p.ThoughtSignature = []byte(unsigned)
			}
			parts = append(parts, p)
		case strings.TrimSpace(part.Text) != "":
			parts = append(parts, genai.NewPartFromText(part.Text))
		default:
			continue
		}
		sayable = true
	}
	if !sayable {
		return nil
	}
	return parts
}

// withThought adds a thought of this provider. A redacted one is the signature
// of the text before it; a signature with nothing to hang on cannot be said in
// this API.
func withThought(parts []*genai.Part, t agent.Thinking) []*genai.Part {
	if t.Provider != Name {
		return parts
	}
	signature := signatureBytes(t.Signature)
	if !t.Redacted && t.Text != "" {
		return append(parts, &genai.Part{Text: t.Text, Thought: true, ThoughtSignature: signature})
	}
	if n := len(parts); t.Redacted && n > 0 && parts[n-1].Text != "" && !parts[n-1].Thought {
		parts[n-1].ThoughtSignature = signature
	}
	return parts
}

func callPart(call agent.Call) *genai.Part {
	p := genai.NewPartFromFunctionCall(identifier(call.Name), object(call.Input))
	p.FunctionCall.ID = string(call.ID)
	if call.Provider == Name {
		p.ThoughtSignature = signatureBytes(call.Signature)
	}
	return p
}

// signatureBytes undoes signatureText; what is no base64 was never Gemini's.
func signatureBytes(signature string) []byte {
	b, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return nil
	}
	return b
}

func signatureText(signature []byte) string { return base64.StdEncoding.EncodeToString(signature) }

// userParts puts results first, all together, as the API wants them; their
// images follow, each with a line that says where it is from. The API's own
// place for images, inside a result, is refused by models before generation 3.
func userParts(parts []agent.Part) []*genai.Part {
	var results, rest []*genai.Part
	for _, part := range parts {
		switch {
		case part.Result != nil:
			r := *part.Result
			results = append(results, resultPart(r))
			for _, image := range r.Images {
				rest = append(rest, genai.NewPartFromText(fmt.Sprintf("[image from the result of %s, call %s]", r.Name, r.Call)), imagePart(image))
			}
		case part.Image != nil:
			rest = append(rest, imagePart(*part.Image))
		case strings.TrimSpace(part.Text) != "":
			rest = append(rest, genai.NewPartFromText(part.Text))
		}
	}
	return append(results, rest...)
}

func resultPart(r agent.CallResult) *genai.Part {
	key, text := "output", r.Text
	if r.IsError {
		key = "error"
	}
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	p := genai.NewPartFromFunctionResponse(identifier(r.Name), map[string]any{key: text})
	p.FunctionResponse.ID = string(r.Call)
	return p
}

// imagePart is a text for what the API does not take.
func imagePart(image agent.Image) *genai.Part {
	switch image.MediaType {
	case "image/png", "image/jpeg", "image/webp":
		if len(image.Data) > 0 {
			return genai.NewPartFromBytes(image.Data, image.MediaType)
		}
	}
	return genai.NewPartFromText(wire.LeftOut(image))
}
