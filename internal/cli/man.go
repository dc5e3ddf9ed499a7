package cli

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
// flags of its tree, hidden ones left out, and then some sections. date, as in
// 2006-01-02, and version stand at its foot.
func Man(root *cobra.Command, date, version string, more ...Section) string {
	var p roff
	p.line(".TH %s 1 %q %s", quoted(strings.ToUpper(root.Name())), date, quoted(version))
	p.title("NAME")
	p.line("%s \\- %s", text(root.Name()), text(strings.TrimSuffix(root.Short, ".")))
	p.title("SYNOPSIS")
	p.line(".nf")
	all := leaves(root)
	for _, cmd := range append([]*cobra.Command{root}, all...) {
		p.line("%s", text(cmd.UseLine()))
	}
	p.line(".fi")
	p.title("DESCRIPTION")
	p.prose(root.Long)
	p.title("FLAGS WITHOUT A COMMAND")
	p.flags(root)
	p.title("COMMANDS")
	for _, cmd := range all {
		p.line(".SS %s", quoted(cmd.CommandPath()))
		p.fresh = true
		p.prose(cmp.Or(cmd.Long, cmd.Short))
		p.flags(cmd)
		p.prose(cmd.Example)
	}
	for _, section := range more {
		p.title(section.Title)
		for _, row := range section.Rows {
			p.row(row.Term, row.Says)
		}
	}
	return p.String()
}

// leaves are the commands below one that a person can type, in order.
func leaves(root *cobra.Command) (all []*cobra.Command) {
	for _, cmd := range commandsToType(root) {
		all = append(append(all, cmd), leaves(cmd)...)
	}
	return all
}

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

func (p *roff) flags(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		name := "--" + flag.Name
		if flag.Shorthand != "" {
			name = fmt.Sprintf("-%s, %s", flag.Shorthand, name)
		}
		value, usage := pflag.UnquoteUsage(flag)
		if value != "" {
			name += "=" + value
		}
		p.row(name, usage)
	})
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
