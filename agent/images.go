package agent

import "slices"

// unseen stands where an image was, for a model that takes none.
const unseen = "[an image: this model does not take images]"

// stripImages puts a text in the place of every image. The messages themselves stay
// as they are: another model of the session may see.
func stripImages(messages []Message) []Message {
	messages = slices.Clone(messages)
	for i, m := range messages {
		if !slices.ContainsFunc(m.Parts, pictured) {
			continue
		}
		messages[i].Parts = slices.Clone(m.Parts)
		for j, part := range m.Parts {
			messages[i].Parts[j] = described(part)
		}
	}
	return messages
}

func pictured(part Part) bool {
	return part.Image != nil || part.Result != nil && len(part.Result.Images) > 0
}

func described(part Part) Part {
	switch {
	case part.Image != nil:
		return Part{Text: unseen}
	case part.Result != nil:
		result := *part.Result
		for range result.Images {
			if result.Text != "" {
				result.Text += "\n"
			}
			result.Text += unseen
		}
		result.Images = nil
		return Part{Result: &result}
	}
	return part
}
