package tools

import (
	"errors"
	"fmt"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/content"
	"pawl/tools/workspace"
)

type editInput struct {
	Path  string        `json:"path"`
	Edits []replacement `json:"edits"`
}

// Edit replaces exact pieces of a file.
func Edit(w *workspace.Workspace) agent.Tool {
	in := newInput[editInput]("edit", `{"type": "object", "additionalProperties": false, "required": ["path", "edits"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"edits": {"type": "array", "minItems": 1, "description": "the replacements, in order", "items": {
			"type": "object", "additionalProperties": false, "required": ["old", "new"], "properties": {
				"old": {"type": "string", "minLength": 1, "description": "the exact text to replace"},
				"new": {"type": "string", "description": "what takes its place; empty to delete it"},
				"all": {"type": "boolean", "description": "replace every occurrence, not just one"}}}}}}`)
	return changing(w, in, func(args editInput) (workspace.Change, error) { return planEdit(w, args) })
}

func planEdit(w *workspace.Workspace, args editInput) (workspace.Change, error) {
	path, old, err := w.Target(args.Path)
	if _, is := errors.AsType[*workspace.AbsentError](err); is {
		return workspace.Change{}, fmt.Errorf("%w (to make a new file use write)", err)
	}
	if err != nil {
		return workspace.Change{}, err
	}
	if kind := content.TypeOf(old.Data); kind != content.Text {
		return workspace.Change{}, fmt.Errorf("%s is binary (%s): edit takes text", words.Path(path), kind)
	}
	if err := w.CheckFresh(path, *old); err != nil {
		return workspace.Change{}, err
	}
	text, lines, err := patch(string(old.Data), args.Edits)
	if err != nil {
		return workspace.Change{}, fmt.Errorf("%s was not changed: %w", words.Path(path), err)
	}
	note := fmt.Sprintf("Edited %s: %s at %s", words.Path(path), words.Count(len(lines), "replacement"), atLines(lines))
	return workspace.Change{Path: path, Old: old, Data: []byte(text), Note: note}, nil
}
