package tools

import (
	"errors"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/workspace"
)

type writeInput struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// Write makes a file or replaces one that the model has read.
func Write(w *workspace.Workspace) agent.Tool {
	in := newInput[writeInput]("write", `{"type": "object", "additionalProperties": false, "required": ["path", "content"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"content": {"type": "string", "description": "all that the file is to hold"}}}`)
	return changing(w, in, func(args writeInput) (workspace.Change, error) { return planWrite(w, args) })
}

func planWrite(w *workspace.Workspace, args writeInput) (workspace.Change, error) {
	c := workspace.Change{Data: []byte(args.Content)}
	var err error
	c.Path, c.Old, err = w.Target(args.Path)
	if _, is := errors.AsType[*workspace.AbsentError](err); is {
		c.Note = fmt.Sprintf("Made %s: %s", words.Path(c.Path), size(args.Content))
		return c, nil
	}
	if err != nil {
		return workspace.Change{}, err
	}
	if !w.Seen(c.Path) {
		return workspace.Change{}, fmt.Errorf("%s exists and you have not read it: read it first, then use edit to change a part or write to replace all of it", words.Path(c.Path))
	}
	if err := w.CheckFresh(c.Path, *c.Old); err != nil {
		return workspace.Change{}, err
	}
	c.Note = fmt.Sprintf("Replaced all of %s: %s now", words.Path(c.Path), size(args.Content))
	return c, nil
}

func size(content string) string {
	lines := strings.Count(content, "\n")
	if content != "" && !strings.HasSuffix(content, "\n") {
		lines++
	}
	return fmt.Sprintf("%s, %s", words.Count(lines, "line"), words.Size(int64(len(content))))
}
