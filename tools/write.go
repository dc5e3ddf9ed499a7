package tools

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

//go:embed write.md
var writeText string

type writeInput struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// Write makes a file or replaces one that the model has read.
func Write(w *Workspace) agent.Tool {
	in := newInput[writeInput]("write", `{"type": "object", "additionalProperties": false, "required": ["path", "content"], "properties": {
		"path": {"type": "string", "minLength": 1, "description": "the file, relative to the project's folder or absolute"},
		"content": {"type": "string", "description": "all that the file is to hold"}}}`)
	return changing(w, in, writeText, func(args writeInput) (change, error) { return planWrite(w, args) })
}

func planWrite(w *Workspace, args writeInput) (change, error) {
	c := change{data: []byte(args.Content)}
	var err error
	c.path, c.old, err = w.target(args.Path)
	if absent := (*absentError)(nil); errors.As(err, &absent) {
		c.note = fmt.Sprintf("Made %s: %s", words.Path(c.path), size(args.Content))
		return c, nil
	}
	if err != nil {
		return change{}, err
	}
	if !w.Seen(c.path) {
		return change{}, fmt.Errorf("%s exists and you have not read it: read it first, then use edit to change a part or write to replace all of it", words.Path(c.path))
	}
	if err := w.fresh(c.path, *c.old); err != nil {
		return change{}, err
	}
	c.note = fmt.Sprintf("Replaced all of %s: %s now", words.Path(c.path), size(args.Content))
	return c, nil
}

func size(content string) string {
	lines := strings.Count(content, "\n")
	if content != "" && !strings.HasSuffix(content, "\n") {
		lines++
	}
	return fmt.Sprintf("%s, %s", words.Count(lines, "line"), words.Size(int64(len(content))))
}
