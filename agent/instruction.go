package agent

import (
	"slices"
	"strings"

	"pawl/lifecycle"
)

// Instruction is one file of instructions for models, as internal/instructions has read it.
type Instruction struct {
	Source string `json:"source"` // as a model can name it: relative to the folder, or ~/…
	Text   string `json:"text,omitempty"`
	// Note says in one line what is wrong with the file, or what of it is missing. Without a Text
	// nothing of it is given.
	Note string `json:"note,omitempty"`

	// The rest is not kept with a result.
	File string `json:"file,omitempty"` // its whole path, links resolved; empty if it was not opened
	By   string `json:"by,omitempty"`   // Source of the file that includes it; empty: it was found by its name
	Own  bool   `json:"own,omitempty"`  // it is the user's, and holds in every folder
	Size int64  `json:"size,omitempty"` // bytes of the file; Text may be shorter
	// Aside says that the file gives way to another one, which Note names: nothing is wrong.
	Aside bool `json:"aside,omitempty"`
}

// found says how a file of instructions was found.
func (i Instruction) found() string {
	switch {
	case i.By != "":
		return "included by " + i.By
	case i.Own:
		return "your own"
	}
	return "this project"
}

func (i Instruction) heading() string {
	if i.Own {
		return "The user's own instructions for all projects, from " + i.Source
	}
	return "Instructions of this project, from " + i.Source
}

// part is the instructions as a piece of a system prompt.
func (i Instruction) part() PromptPart {
	p := PromptPart{Kind: PartInstructions, Name: i.Source, Source: i.found(), Note: i.Note}
	if i.Text == "" {
		return p
	}
	p.Text = "\n" + i.heading() + "\n\n" + strings.TrimSpace(i.Text) + "\n"
	return p
}

// withNested is messages with the instructions that were read during calls, as models get them:
// after the results, in a message of Pawl's own, because anybody may have written what a result
// says. It does not change messages.
func withNested(messages []Message) []Message {
	if !slices.ContainsFunc(messages, hasNested) {
		return messages
	}
	var all []Message
	for _, m := range messages {
		all = append(all, m)
		if text := nestedText(m); text != "" {
			all = append(all, Say(text))
		}
	}
	return all
}

func hasNested(m Message) bool { return nestedText(m) != "" }

// nestedOpening begins the message with instructions that were read during calls.
const nestedOpening = "Pawl wrote this message, not a human. The files that you have just touched are in folders that have instructions of their own. They hold for all files below those folders, from now on.\n"

// IsInstructions recognizes the message with instructions by its text. Scripted models use it; they
// see nothing else.
func IsInstructions(m Message) bool { return strings.HasPrefix(m.Text(), nestedOpening) }

// nestedText is what a model is told of the instructions that were read during the calls of which
// a message has the results; empty if there are none.
func nestedText(m Message) string {
	if m.Role != RoleTool {
		return ""
	}
	text := ""
	for _, part := range m.Parts {
		if part.Result == nil {
			continue
		}
		for _, one := range part.Result.Instructions {
			if one.Text != "" {
				text += "\n" + one.heading() + "\n\n" + strings.TrimSpace(one.Text) + "\n"
			}
		}
	}
	if text == "" {
		return ""
	}
	return nestedOpening + text
}

// nested keeps which instructions the conversation of a run holds already.
type nested map[string]bool

// nestedIn finds them in the messages: after a summary they are gone.
func nestedIn(messages []Message) nested {
	given := nested{}
	for _, m := range messages {
		for _, part := range m.Parts {
			if part.Result != nil {
				given.add(part.Result.Instructions)
			}
		}
	}
	return given
}

// add leaves the instructions that were not there yet.
func (n nested) add(all []Instruction) (added []Instruction) {
	for _, one := range all {
		if !n[one.Source] {
			n[one.Source] = true
			added = append(added, Instruction{Source: one.Source, Text: one.Text, Note: one.Note})
		}
	}
	return added
}

// addNested leaves a result the instructions that the model does not have yet. Calls end on
// goroutines of their own.
func (t *activeRun) addNested(result Result) Result {
	if len(result.Instructions) == 0 {
		return result
	}
	t.nesting.Lock()
	defer t.nesting.Unlock()
	if t.nested == nil {
		t.nested = nestedIn(t.messages)
	}
	result.Instructions = t.nested.add(result.Instructions)
	return result
}

// namesOf are instructions as the record of a call names them.
func namesOf(all []Instruction) (names []lifecycle.InstructionsRead) {
	for _, one := range all {
		names = append(names, lifecycle.InstructionsRead{Source: one.Source, Note: one.Note, Unread: one.Text == ""})
	}
	return names
}
