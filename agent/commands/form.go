package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pawl/agent/frontmatter"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Limits of what people are shown of a command.
const (
	longestName        = 128 // characters
	longestDescription = 200
	longestHint        = 80
)

// checkName refuses names that nobody could type, or that would not be what they look like.
func checkName(name string) error {
	unfit := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.:", r)
	}
	switch {
	case utf8.RuneCountInString(name) > longestName:
		return fmt.Errorf("its name is longer than %d characters: rename it", longestName)
	case strings.ContainsFunc(name, unfit):
		return fmt.Errorf("%q cannot be typed as a command: rename it, with letters, digits, -, _ and . alone", name)
	}
	return nil
}

// fill fills a command from the text of its file. notes are about keys that have no effect here.
func (c *Command) fill(text string, w Words) (notes []string, err error) {
	fields, body, err := frontmatter.Fields(text)
	if err != nil {
		return nil, err
	}
	if c.Body = body; body == "" {
		return nil, errors.New("it has no text: write below the frontmatter what the model is to do")
	}
	notes = c.Set(fields, w, nil)
	if c.Description == "" {
		c.Description = firstLine(body)
	}
	return notes, nil
}

// Shown is a text of a file as one line, without what is no text.
func Shown(text string) string { return words.Line(string(sanitize.Line(text))) }

// firstLine stands for the description of a text without one.
func firstLine(body string) string {
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#> ")); line != "" {
			return words.CutLine(Shown(line), longestDescription)
		}
	}
	return ""
}

// ignoredKeys are those of other programs, with what they do there.
var ignoredKeys = map[string]string{
	"disable-model-invocation": "models do not start commands here", "user-invocable": "a command is there to be typed",
	"context": "it runs in this session; write in its text that a subagent is to do it", "agent": "write in its text which subagent is to do it",
	"name": "the file's own name counts", "hooks": "hooks stand in the settings", "hide-from-slash-command-tool": "models do not start commands here",
}

// Set reads the keys that commands have. others are read too, and are not told of; notes are about
// what has no effect.
func (c *Command) Set(fields []frontmatter.Field, w Words, others []string) (notes []string) {
	note := func(f frontmatter.Field, format string, args ...any) {
		notes = append(notes, fmt.Sprintf("line %d: ", f.Line)+fmt.Sprintf(format, args...))
	}
	known := []string{"description", "argument-hint", "model", "effort", "allowed-tools"}
	for _, f := range fields {
		why, ignored := ignoredKeys[f.Key]
		switch {
		case slices.Contains(others, f.Key):
		case ignored:
			note(f, "%s has no effect here: %s", f.Key, why)
		case !slices.Contains(known, f.Key):
			note(f, "the key %q has no effect here%s", f.Key, words.DidYouMean(f.Key, known))
		case f.Is == frontmatter.Nothing:
		case f.Is == frontmatter.Other, f.Is == frontmatter.List && f.Key != "allowed-tools" && f.Key != "argument-hint":
			note(f, "%s is left out: it takes a text", f.Key)
		default:
			if told := c.set(f, w); told != "" {
				note(f, "%s", told)
			}
		}
	}
	return notes
}

// set reads one key, and returns what people should know about it.
func (c *Command) set(f frontmatter.Field, w Words) string {
	switch f.Key {
	case "description":
		c.Description = words.CutLine(Shown(f.Text), longestDescription)
	case "argument-hint":
		c.Hint = words.CutLine(Shown(hintOf(f)), longestHint)
	case "model":
		return c.setModel(words.Line(f.Text), w)
	case "effort":
		if !slices.Contains(lifecycle.Efforts(), f.Text) {
			return fmt.Sprintf("the effort %q is left out: it is low, medium, high or max", words.Line(f.Text))
		}
		c.Effort = f.Text
	case "allowed-tools":
		var unknown []string
		c.Allowed, unknown = narrowing(f)
		if len(unknown) > 0 {
			return fmt.Sprintf("allowed-tools: %s left out, since Pawl has no such tools", strings.Join(unknown, ", "))
		}
	}
	return ""
}

// hintOf is the hint as its author wrote it, which for YAML is often a list: [pr-number].
func hintOf(f frontmatter.Field) string {
	if f.Raw != "" {
		return f.Raw
	}
	if f.Is == frontmatter.List {
		return "[" + strings.Join(f.List, "] [") + "]"
	}
	return f.Text
}

// setModel reads a model, by Claude Code's name or ours.
func (c *Command) setModel(word string, w Words) string {
	if word == "inherit" {
		return ""
	}
	if w.ClaudeModel != nil {
		if model, ok := w.ClaudeModel(word); ok {
			c.Model = model
			return ""
		}
	}
	if strings.Contains(word, "/") && (w.CheckModel == nil || w.CheckModel(word) == nil) {
		c.Model = word
		return ""
	}
	return fmt.Sprintf("the model %q is not available here: it uses the session's", word)
}
