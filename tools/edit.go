package tools

import (
	_ "embed"
	"errors"
	"fmt"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/content"
)

//go:embed edit.md
var editText string

type editInput struct {
	Path  string        `json:"path"`
	Edits []replacement `json:"edits"`
}

// Edit replaces exact pieces of a file.
func Edit(w *Workspace) agent.Tool {
	in := newInput[editInput]("edit", `{"type": "object", "additionalProperties": false, "required": ["path", "edits"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"edits": {"type": "array", "minItems": 1, "description": "the replacements, in order", "items": {
			"type": "object", "additionalProperties": false, "required": ["old", "new"], "properties": {
				"old": {"type": "string", "minLength": 1, "description": "the exact text to replace"},
				"new": {"type": "string", "description": "what takes its place; empty to delete it"},
				"all": {"type": "boolean", "description": "replace every occurrence, not just one"}}}}}}`)
	return changing(w, in, editText, func(args editInput) (change, error) { return planEdit(w, args) })
}

func planEdit(w *Workspace, args editInput) (change, error) {
	path, old, err := w.target(args.Path)
	if absent := (*absentError)(nil); errors.As(err, &absent) {
		return change{}, fmt.Errorf("%w (to make a new file use write)", err)
	}
	if err != nil {
		return change{}, err
	}
	if kind := content.TypeOf(old.data); kind != content.Text {
		return change{}, fmt.Errorf("%s is binary (%s): edit takes text", words.Path(path), kind)
	}
	if err := w.fresh(path, *old); err != nil {
		return change{}, err
	}
	text, lines, err := patch(string(old.data), args.Edits)
	if err != nil {
		return change{}, fmt.Errorf("%s was not changed: %w", words.Path(path), err)
	}
	note := fmt.Sprintf("Edited %s: %s at %s", words.Path(path), words.Count(len(lines), "replacement"), atLines(lines))
	return change{path: path, old: old, data: []byte(text), note: note}, nil
}
