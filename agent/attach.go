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

// withAttached adds the attachments to a message, in order.
func withAttached(m Message, all []lifecycle.Enclosure) (Message, error) {
	for _, one := range all {
		if one.Left {
			m.Parts = append(m.Parts, Part{Text: fmt.Sprintf("[@%s is not attached: %s]", one.Name, one.Note)})
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
