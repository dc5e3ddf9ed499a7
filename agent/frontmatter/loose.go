package frontmatter

import "strings"

// ParseLoosely reads frontmatter that is not valid YAML as most programs with such files
// do: a key and its text on each line, with indented lines as continuation.
func ParseLoosely(front string) []Field {
	var all []Field
	number := 1
	for line := range strings.Lines(front) {
		number++
		key, text, found := strings.Cut(strings.TrimRight(line, "\n"), ":")
		if found && key != "" && !strings.ContainsFunc(key, unfitForKey) {
			all = append(all, looseField(key, unquoted(text), number))
		} else if last := len(all) - 1; last >= 0 {
			all[last].extend(strings.TrimSpace(line))
		}
	}
	return all
}

func looseField(key, text string, line int) Field {
	f := Field{Key: key, Line: line, Is: Scalar, Text: text, Raw: text}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		f.Text = strings.TrimSuffix(inner, "]")
	}
	if f.Text == "" {
		f.Is = Nothing
	}
	return f
}

// unfitForKey reports characters that no key has.
func unfitForKey(r rune) bool {
	const fit = "_-*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return !strings.ContainsRune(fit, r)
}

// extend adds a line: an item of a list, or more text.
func (f *Field) extend(line string) {
	item, isItem := strings.CutPrefix(line, "- ")
	switch {
	case line == "":
	case isItem && (f.Is == Nothing || f.Is == List):
		f.Is, f.List = List, append(f.List, unquoted(item))
	default:
		f.Is, f.Text = Scalar, strings.TrimSpace(f.Text+" "+line)
	}
}

func unquoted(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}
