package types

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"pawl/internal/words"
)

// field is one key of the frontmatter with its value.
type field struct {
	key  string
	line int // in the file, from 1
	text string
	list []string
	is   shape
}

// shape is the kind of value that a key has.
type shape int

// The shapes.
const (
	nothing shape = iota
	scalar
	list
	other // a mapping, an alias, a list of lists
)

// lineError is an error in a file, with its line.
type lineError struct {
	line int // 0: the file
	text string
}

func (f *lineError) Error() string { return f.text }

// split separates frontmatter and body. The frontmatter is enclosed by two lines of three
// dashes, the first of which is the first line of the file.
func split(text string) (front, body string, err error) {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", "", &lineError{1, `it does not begin with frontmatter: a line of ---, keys such as name and description, and a line of ---`}
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == "---" {
			return rest[:at], strings.TrimSpace(rest[at+len(line):]), nil
		}
		at += len(line)
	}
	return "", "", &lineError{1, "its frontmatter is not closed: end it with a line of ---"}
}

// fields parses frontmatter as YAML: one mapping whose keys are words. Line 1 is the
// opening dashes.
func fields(front string) ([]field, error) {
	file, err := parser.ParseBytes([]byte(front), 0)
	var wrong yaml.Error
	switch {
	case errors.As(err, &wrong):
		return nil, &lineError{lineOf(wrong.GetToken().Position.Line), "it is not valid YAML: " + words.Line(wrong.GetMessage())}
	case err != nil:
		return nil, &lineError{1, "it is not valid YAML: " + words.Line(err.Error())}
	case len(file.Docs) != 1:
		return nil, &lineError{1, "its frontmatter has more than one part"}
	}
	switch body := file.Docs[0].Body.(type) {
	case nil:
		return nil, nil
	case *ast.MappingNode:
		return fieldsOf(body.Values)
	case *ast.MappingValueNode:
		return fieldsOf([]*ast.MappingValueNode{body})
	}
	return nil, &lineError{1, "its frontmatter is not a list of keys and values"}
}

// lineOf converts a line of the frontmatter to one of the file, which has the dashes before it.
func lineOf(inFront int) int { return inFront + 1 }

func fieldsOf(values []*ast.MappingValueNode) ([]field, error) {
	var all []field
	for _, pair := range values {
		token := pair.Key.GetToken()
		f := field{line: lineOf(token.Position.Line)}
		key, isText := pair.Key.(*ast.StringNode)
		if !isText {
			return nil, &lineError{f.line, fmt.Sprintf("%q is not a key: a key is a word", token.Value)}
		}
		f.key = key.Value
		f.is, f.text, f.list = shapeOf(pair.Value)
		all = append(all, f)
	}
	return all, nil
}

// shapeOf reads a value. Aliases are not resolved.
func shapeOf(node ast.Node) (shape, string, []string) {
	switch node := node.(type) {
	case nil, *ast.NullNode:
		return nothing, "", nil
	case *ast.SequenceNode:
		items := []string{}
		for _, item := range node.Values {
			is, text, _ := shapeOf(item)
			if is != scalar {
				return other, "", nil
			}
			items = append(items, text)
		}
		return list, "", items
	case *ast.StringNode:
		return scalar, node.Value, nil
	case *ast.LiteralNode:
		return scalar, node.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return scalar, node.GetToken().Value, nil
	}
	return other, "", nil
}

// words is a list, which may also be written as text: a, b, c. Commas in brackets do not
// separate.
func (f field) words() []string {
	items := f.list
	if f.is == scalar {
		depth := 0
		items = strings.FieldsFunc(f.text, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			return r == ',' && depth <= 0
		})
	}
	words := []string{}
	for _, item := range items {
		if word := strings.TrimSpace(item); word != "" {
			words = append(words, word)
		}
	}
	return words
}
