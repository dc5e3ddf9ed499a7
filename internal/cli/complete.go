package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Candidate is something that can stand at a place.
type Candidate struct {
	Text string
	Says string // in a few words; may be empty
}

// Files stands alone for all files, which shells list best.
const Files = ":files"

// Values gives what a kind of argument can be, as its tag complete:"…" names it. It
// may ask the program's own data, read only, and gives nothing rather than an error:
// nobody reads one while they type.
type Values func(kind string) []Candidate

// Complete gives what the last of some words, the one that is being typed, can become.
// The words are those behind the program's name. Hidden commands and flags are not
// offered.
func Complete(app *kong.Application, words []string, values Values) []Candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	before, typed := words[:len(words)-1], words[len(words)-1]
	at := walk(app.Node, before)
	switch {
	case at.wants != nil && !at.done(typed):
		return beginning(typed, valuesOf(at.wants, values))
	case !at.flagsEnded && strings.HasPrefix(typed, "--") && strings.Contains(typed, "="):
		name, value, _ := strings.Cut(typed, "=")
		flag := at.flag(name)
		if flag == nil {
			return nil
		}
		found := beginning(value, valuesOf(flag.Value, values))
		for i := range found {
			if found[i].Text != Files {
				found[i].Text = name + "=" + found[i].Text
			}
		}
		return found
	case !at.flagsEnded && strings.HasPrefix(typed, "-"):
		return beginning(typed, at.flags())
	}
	return beginning(typed, at.words(values))
}

// place is where the next word stands.
type place struct {
	node       *kong.Node
	given      int         // positional arguments before it
	wants      *kong.Value // a flag whose value it is
	flagsEnded bool        // behind --
	chosen     bool        // a command has been named
	used       []string    // flags that stand before it
}

// walk goes along words that are whole.
func walk(root *kong.Node, words []string) *place {
	at := &place{node: root}
	for _, word := range words {
		switch {
		case at.wants != nil && !at.done(word):
			at.wants = nil
		case word == "--" && !at.flagsEnded:
			at.flagsEnded = true
		case strings.HasPrefix(word, "-") && len(word) > 1 && !at.flagsEnded:
			name, _, whole := strings.Cut(word, "=")
			flag := at.flag(name)
			if flag == nil {
				continue
			}
			at.used = append(at.used, flag.Name)
			if !whole && !flag.IsCounter() && (!flag.IsBool() || flag.Tag.Has("complete")) {
				at.wants = flag.Value
			}
		default:
			at.enter(word)
		}
	}
	return at
}

// done reports whether a word is a flag again, behind one that may go without a value.
func (p *place) done(word string) bool {
	return p.wants.IsBool() && strings.HasPrefix(word, "-")
}

// enter takes a word that is a command or an argument.
func (p *place) enter(word string) {
	if !p.chosen && p.given == 0 && !p.flagsEnded {
		for _, child := range p.node.Children {
			if child.Type == kong.CommandNode && (child.Name == word || slices.Contains(child.Aliases, word)) {
				p.node, p.chosen = child, len(child.Children) == 0
				return
			}
		}
	}
	p.given++
}

// nodes are the commands whose flags hold here: the one that was named and those it
// belongs to, and before one is named the one without a name.
func (p *place) nodes() []*kong.Node {
	var all []*kong.Node
	for node := p.node; node != nil; node = node.Parent {
		all = append(all, node)
	}
	if p.node.DefaultCmd != nil {
		all = append(all, p.node.DefaultCmd)
	}
	return all
}

// flag finds one by how it is written: --name, --no-name or -n.
func (p *place) flag(written string) *kong.Flag {
	for _, node := range p.nodes() {
		for _, flag := range node.Flags {
			switch written {
			case "--" + flag.Name, "-" + string(flag.Short), "--no-" + flag.Name:
				return flag
			}
		}
	}
	return nil
}

// flags lists those that can stand here, once each.
func (p *place) flags() []Candidate {
	var all []Candidate
	for _, node := range p.nodes() {
		for _, flag := range node.Flags {
			if flag.Hidden || slices.Contains(p.used, flag.Name) && !flag.IsCumulative() {
				continue
			}
			all = append(all, Candidate{"--" + flag.Name, gist(flag.Help)})
		}
	}
	return all
}

// words lists the commands or the values of the next argument.
func (p *place) words(values Values) []Candidate {
	var all []Candidate
	if !p.chosen && p.given == 0 {
		all = append(all, childrenOf(p.node)...)
	}
	if n := len(p.node.Positional); n > 0 {
		next := min(p.given, n-1)
		if p.given < n || p.node.Positional[next].IsCumulative() {
			all = append(all, valuesOf(p.node.Positional[next], values)...)
		}
	}
	return all
}

// Commands are those that a person can type.
func Commands(app *kong.Application) []Candidate { return childrenOf(app.Node) }

func childrenOf(node *kong.Node) (all []Candidate) {
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			all = append(all, Candidate{child.Name, gist(child.Help)})
		}
	}
	return all
}

// valuesOf is what an argument or a flag can be.
func valuesOf(v *kong.Value, values Values) []Candidate {
	if v.Enum != "" {
		var all []Candidate
		for _, text := range v.EnumSlice() {
			all = append(all, Candidate{Text: text})
		}
		return all
	}
	switch kind := v.Tag.Get("complete"); kind {
	case "":
		return nil
	case "files":
		return []Candidate{{Text: Files}}
	default:
		return values(kind)
	}
}

// beginning keeps what begins as it was typed.
func beginning(typed string, all []Candidate) []Candidate {
	return slices.DeleteFunc(all, func(c Candidate) bool { return c.Text != Files && !strings.HasPrefix(c.Text, typed) })
}

// gist is the first sentence of a help, without its stop.
func gist(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	first, _, _ = strings.Cut(first, ": ")
	return strings.TrimSuffix(first, ".")
}
