package frontmatter

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"pawl/internal/words"
)

// Field is one key of the frontmatter with its value.
type Field struct {
	Key  string
	Line int // in the file, from 1
	Text string
	List []string
	Raw  string // what stands behind the key on its line, without quotes
	Is   Shape
}

// Shape is the kind of value that a key has.
type Shape int

// The shapes.
const (
	Nothing Shape = iota
	Scalar
	List
	Other // a mapping, an alias, a list of lists
)

// Error is an error in a file, with its line.
type Error struct {
	Line int // 0: the file
	Text string
}

func (e *Error) Error() string { return e.Text }

// ErrNone is what Split returns of a text that does not begin with frontmatter.
var ErrNone error = &Error{1, "it does not begin with frontmatter: a line of ---, keys such as name and description, and a line of ---"}

// Split separates frontmatter and body. The frontmatter is enclosed by two lines of three
// dashes, the first of which is the first line of the file.
func Split(text string) (front, body string, err error) {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", "", ErrNone
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == "---" {
			return rest[:at], strings.TrimSpace(rest[at+len(line):]), nil
		}
		at += len(line)
	}
	return "", "", &Error{1, "its frontmatter is not closed: end it with a line of ---"}
}

// Fields separates frontmatter and body as most programs with such files do: a file need not have
// any, and frontmatter that is not valid YAML is read line by line.
func Fields(text string) (all []Field, body string, err error) {
	front, body, err := Split(text)
	switch {
	case errors.Is(err, ErrNone):
		return nil, strings.TrimSpace(text), nil
	case err != nil:
		return nil, "", err
	}
	if all, err = Parse(front); err != nil {
		all = ParseLoosely(front)
	}
	return all, body, nil
}

// Parse reads frontmatter as YAML: one mapping whose keys are words. Line 1 is the
// opening dashes.
func Parse(front string) ([]Field, error) {
	file, err := parser.ParseBytes([]byte(front), 0)
	var wrong yaml.Error
	switch {
	case errors.As(err, &wrong):
		return nil, &Error{lineOf(wrong.GetToken().Position.Line), "it is not valid YAML: " + words.Line(wrong.GetMessage())}
	case err != nil:
		return nil, &Error{1, "it is not valid YAML: " + words.Line(err.Error())}
	case len(file.Docs) != 1:
		return nil, &Error{1, "its frontmatter has more than one part"}
	}
	lines := strings.Split(front, "\n")
	switch body := file.Docs[0].Body.(type) {
	case nil:
		return nil, nil
	case *ast.MappingNode:
		return fieldsOf(body.Values, lines)
	case *ast.MappingValueNode:
		return fieldsOf([]*ast.MappingValueNode{body}, lines)
	}
	return nil, &Error{1, "its frontmatter is not a list of keys and values"}
}

// lineOf converts a line of the frontmatter to one of the file, which has the dashes before it.
func lineOf(inFront int) int { return inFront + 1 }

func fieldsOf(values []*ast.MappingValueNode, lines []string) ([]Field, error) {
	var all []Field
	for _, pair := range values {
		token := pair.Key.GetToken()
		f := Field{Line: lineOf(token.Position.Line)}
		key, isText := pair.Key.(*ast.StringNode)
		if !isText {
			return nil, &Error{f.Line, fmt.Sprintf("%q is not a key: a key is a word", token.Value)}
		}
		f.Key, f.Raw = key.Value, rawOf(lines, token.Position.Line)
		f.Is, f.Text, f.List = shapeOf(pair.Value)
		all = append(all, f)
	}
	return all, nil
}

// rawOf is what stands behind the key on a line of the frontmatter, from 1.
func rawOf(lines []string, line int) string {
	if line < 1 || line > len(lines) {
		return ""
	}
	_, raw, _ := strings.Cut(lines[line-1], ":")
	return unquoted(raw)
}

// shapeOf reads a value. Aliases are not resolved.
func shapeOf(node ast.Node) (Shape, string, []string) {
	switch node := node.(type) {
	case nil, *ast.NullNode:
		return Nothing, "", nil
	case *ast.SequenceNode:
		items := []string{}
		for _, item := range node.Values {
			is, text, _ := shapeOf(item)
			if is != Scalar {
				return Other, "", nil
			}
			items = append(items, text)
		}
		return List, "", items
	case *ast.StringNode:
		return Scalar, node.Value, nil
	case *ast.LiteralNode:
		return Scalar, node.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return Scalar, node.GetToken().Value, nil
	}
	return Other, "", nil
}

// Words is a list, which may also be written as text: a, b, c. Commas in brackets do not
// separate.
func (f Field) Words() []string {
	items := f.List
	if f.Is == Scalar {
		depth := 0
		items = strings.FieldsFunc(f.Text, func(r rune) bool {
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
