package cli

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"
)

// Section is a part of the manual page that the model does not know.
type Section struct {
	Title string
	Rows  []Row
}

// Row is a term and what it means. Without a term it is a paragraph, and without a
// meaning lines that stand as they are.
type Row struct{ Term, Says string }

// Man writes the manual page of a program, as man and mandoc read it: the commands and
// flags of its model, hidden ones left out but for the command without a name, and
// then some sections. date, as in 2006-01-02, and version stand at its foot.
func Man(app *kong.Application, date, version string, more ...Section) string {
	var p roff
	p.line(".TH %s 1 %q %s", quoted(strings.ToUpper(app.Name)), date, quoted(version))
	summary, about, _ := strings.Cut(app.Help, "\n")
	p.title("NAME")
	p.line("%s \\- %s", text(app.Name), text(strings.TrimSuffix(summary, ".")))
	p.title("SYNOPSIS")
	p.line(".nf")
	p.line("%s [flags]", text(app.Name))
	for _, node := range commands(app.Node) {
		p.line("%s %s", text(app.Name), text(node.Summary()))
	}
	p.line(".fi")
	p.title("DESCRIPTION")
	p.prose(about)
	if app.DefaultCmd != nil {
		p.title("FLAGS WITHOUT A COMMAND")
		p.flags(app.DefaultCmd)
	}
	p.title("COMMANDS")
	for _, node := range commands(app.Node) {
		p.line(".SS %s", quoted(node.Path()))
		p.fresh = true
		p.prose(node.Help)
		for _, argument := range node.Positional {
			p.row(argument.Summary(), argument.Help)
		}
		p.flags(node)
		p.prose(node.Detail)
	}
	for _, section := range more {
		p.title(section.Title)
		for _, row := range section.Rows {
			p.row(row.Term, row.Says)
		}
	}
	return p.String()
}

// commands are those that a person can type, in order.
func commands(root *kong.Node) []*kong.Node { return root.Leaves(true) }

// roff is a page on its way out.
type roff struct {
	strings.Builder
	fresh bool // a title stands right before: no paragraph need be begun
}

func (p *roff) line(format string, args ...any) {
	fmt.Fprintf(p, format+"\n", args...)
	p.fresh = false
}

func (p *roff) title(name string) {
	p.line(".SH %s", quoted(name))
	p.fresh = true
}

// paragraph begins one.
func (p *roff) paragraph() {
	if !p.fresh {
		p.line(".PP")
		p.fresh = true
	}
}

// row is a term with what it means, or a text of its own.
func (p *roff) row(term, says string) {
	if term == "" {
		p.prose(says)
		return
	}
	p.line(".TP\n.B %s", quoted(term))
	if says = strings.TrimSpace(says); says != "" {
		p.line("%s", text(says))
	}
}

func (p *roff) flags(node *kong.Node) {
	for _, flag := range node.Flags {
		if flag.Hidden || flag.Name == "help" {
			continue
		}
		name := "--" + flag.Name
		if flag.Short != 0 {
			name = fmt.Sprintf("-%c, %s", flag.Short, name)
		}
		if !flag.IsBool() {
			name += "=" + flag.FormatPlaceHolder()
		}
		p.row(name, flag.Help)
	}
}

// prose writes paragraphs; lines that are set in stand as they are.
func (p *roff) prose(s string) {
	if s = strings.Trim(s, "\n"); s == "" {
		return
	}
	p.paragraph()
	set := false
	for _, line := range strings.Split(s, "\n") {
		if indented := strings.HasPrefix(line, " "); indented != set {
			if set = indented; set {
				p.paragraph()
				p.line(".nf")
			} else {
				p.line(".fi")
			}
		}
		if strings.TrimSpace(line) == "" {
			p.paragraph()
			continue
		}
		p.line("%s", text(line))
	}
	if set {
		p.line(".fi")
	}
}

// text is a line that acts in no way: no escape, no request.
func text(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ", "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return ascii(s)
}

// ascii writes other letters as the formatter's names of them: a page that is not ASCII
// is shown wrongly by a man that takes it for another encoding.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '…':
			b.WriteString("...")
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// quoted is a text as one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(text(s), `"`, `\(dq`) + `"` }
