package gemini

import (
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
)

// contents converts a history to Gemini's format: roles alternate, so adjacent messages of
// one role are joined. What the API refuses is left out, and so are messages that hold
// nothing else. Searches go back to models that show them.
func contents(model string, history []agent.Message, searches bool) []content {
	all := []content{}
	for _, m := range history {
		role, parts := "user", []part(nil)
		switch m.Role {
		case agent.RoleAssistant:
			role, parts = "model", modelParts(model, m.Parts, searches)
		case agent.RoleUser, agent.RoleTool:
			parts = userParts(m.Parts)
		}
		last := len(all) - 1
		switch {
		case len(parts) == 0:
		case last >= 0 && all[last].Role == role:
			all[last].Parts = append(all[last].Parts, parts...)
		default:
			all = append(all, content{Role: role, Parts: parts})
		}
	}
	return all
}

// unsigned replaces the signature of a call that Gemini did not make, or made before it
// signed calls: from generation 3 on it refuses a turn whose first call has none. The
// value, skip_thought_signature_validator in base64, is Google's
// (ai.google.dev/gemini-api/docs/thought-signatures).
const unsigned = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

// modelParts is what the model said; nil if it is thoughts and searches only.
func modelParts(model string, said []agent.Part, searches bool) []part {
	var parts []part
	calls, content := 0, false
	for _, one := range said {
		switch {
		case one.Thinking != nil:
			parts = withThought(parts, *one.Thinking)
			continue
		case one.Search != nil && searches:
			parts = append(parts, searchParts(*one.Search)...)
			continue
		case one.Call != nil:
			p := callPart(*one.Call)
			if calls++; calls == 1 && p.Signature == "" && generation(model) >= 3 {
				p.Signature = unsigned
			}
			parts = append(parts, p)
		case strings.TrimSpace(one.Text) != "":
			parts = append(parts, part{Text: one.Text})
		default:
			continue
		}
		content = true
	}
	if !content {
		return nil
	}
	return parts
}

// withThought adds a thought of this provider. A redacted one is the signature of the text
// before it; a signature without such a text cannot be sent.
func withThought(parts []part, t agent.Thinking) []part {
	if t.Provider != Name {
		return parts
	}
	if !t.Redacted && t.Text != "" {
		return append(parts, part{Text: t.Text, Thought: true, Signature: t.Signature})
	}
	if n := len(parts); t.Redacted && n > 0 && parts[n-1].Text != "" && !parts[n-1].Thought {
		parts[n-1].Signature = t.Signature
	}
	return parts
}

func callPart(call agent.Call) part {
	p := part{Call: &functionCall{ID: string(call.ID), Name: identifier(call.Name), Args: object(call.Input)}}
	if call.Provider == Name {
		p.Signature = call.Signature
	}
	return p
}

// userParts puts all results first, as the API requires. Their images follow, each with a line
// that says where it is from: models before generation 3 refuse images inside results.
func userParts(parts []agent.Part) []part {
	var results, rest []part
	for _, one := range parts {
		switch {
		case one.Result != nil:
			r := *one.Result
			results = append(results, resultPart(r))
			for _, image := range r.Images {
				rest = append(rest, part{Text: fmt.Sprintf("[image from the result of %s, call %s]", r.Name, r.Call)}, imagePart(image))
			}
		case one.Image != nil:
			rest = append(rest, imagePart(*one.Image))
		case strings.TrimSpace(one.Text) != "":
			rest = append(rest, part{Text: one.Text})
		}
	}
	return append(results, rest...)
}

func resultPart(r agent.CallResult) part {
	key, text := "output", r.Text
	if r.IsError {
		key = "error"
	}
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	return part{Result: &functionResponse{ID: string(r.Call), Name: identifier(r.Name), Response: map[string]string{key: text}}}
}

// imagePart is a text for images that the API does not accept.
func imagePart(image agent.Image) part {
	if !wire.Supported(image) || image.MediaType == "image/gif" {
		return part{Text: wire.ImageOmitted(image)}
	}
	return part{Data: &blob{MimeType: image.MediaType, Data: image.Data}}
}
