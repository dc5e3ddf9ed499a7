package agent

import "slices"

// imageOmitted replaces an image for a model that takes none.
const imageOmitted = "[an image: this model does not take images]"

// stripImages replaces every image by a text. It does not change messages: another model
// of the session may take images.
func stripImages(messages []Message) []Message {
	messages = slices.Clone(messages)
	for i, m := range messages {
		if !slices.ContainsFunc(m.Parts, hasImages) {
			continue
		}
		messages[i].Parts = slices.Clone(m.Parts)
		for j, part := range m.Parts {
			messages[i].Parts[j] = withoutImages(part)
		}
	}
	return messages
}

func hasImages(part Part) bool {
	return part.Image != nil || part.Result != nil && len(part.Result.Images) > 0
}

func withoutImages(part Part) Part {
	switch {
	case part.Image != nil:
		return Part{Text: imageOmitted}
	case part.Result != nil:
		result := *part.Result
		for range result.Images {
			if result.Text != "" {
				result.Text += "\n"
			}
			result.Text += imageOmitted
		}
		result.Images = nil
		return Part{Result: &result}
	}
	return part
}
