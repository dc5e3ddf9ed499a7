package agent

import (
	"encoding/json"
	"fmt"

	"pawl/lifecycle"
)

// Attached is what a model gets of a file that a message mentions.
type Attached struct {
	Text   string  `json:"text,omitempty"`
	Images []Image `json:"images,omitempty"`
}

// Encode returns the form in which it is stored with its message.
func (a Attached) Encode() json.RawMessage { return encode(a) }

// commandText is what a command in a message stands for; empty without one.
func commandText(all []lifecycle.Enclosure) string {
	for _, one := range all {
		var body Attached
		if one.Command && json.Unmarshal(one.Body, &body) == nil {
			return "\n\n" + body.Text
		}
	}
	return ""
}

// leftOut tells a model what a message names and it does not get.
func leftOut(one lifecycle.Attachment) string {
	if one.Command {
		return fmt.Sprintf("[the command %s could not be expanded: %s]", one.Name, one.Note)
	}
	return fmt.Sprintf("[@%s is not attached: %s]", one.Name, one.Note)
}

// withAttached adds the attachments to a message, in order.
func withAttached(m Message, all []lifecycle.Enclosure) (Message, error) {
	for _, one := range all {
		if one.Left {
			m.Parts = append(m.Parts, Part{Text: leftOut(one.Attachment)})
			continue
		}
		var body Attached
		if err := json.Unmarshal(one.Body, &body); err != nil {
			return Message{}, fmt.Errorf("what @%s named: %w", one.Name, err)
		}
		m.Parts = append(m.Parts, Part{Text: body.Text})
		for _, image := range body.Images {
			m.Parts = append(m.Parts, Part{Image: &image})
		}
	}
	return m, nil
}
