package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/ui/markdown"
)

// newHelpCommand is pawl help: what --help behind a command says, and the pages of docs.
func newHelpCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND|SUBJECT]",
		Short:   "Explain a command or a subject, such as keys or permissions.",
		GroupID: command.GroupMore,
		Example: `  pawl help                      # all commands and subjects
  pawl help export               # one of them
  pawl help keys                 # a page to read`,
		ValidArgsFunction:     command.FirstArgument(completeSubjects),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return explain(w, cmd.Root(), args)
			}
			if err := cmd.Root().Help(); err != nil {
				return err
			}
			return printSubjects(w.Out)
		},
	}
}

func explain(w *base.World, root *cobra.Command, subject []string) error {
	page := pageAbout(subject[0])
	if named, _, err := root.Find(subject); err == nil && named != root && !named.Hidden {
		named.InitDefaultHelpFlag()
		if err := named.Help(); err != nil {
			return err
		}
		if page == nil || len(subject) > 1 {
			return nil
		}
		fmt.Fprintln(w.Out)
	}
	if page == nil {
		return system.Usage(unknownSubject(subject[0], root))
	}
	return printPage(*w, *page)
}

// pageWidth is how wide a page is printed where nothing says how wide it may be.
const pageWidth = 80

// pageAbout is the page about a subject; nil: there is none.
func pageAbout(subject string) *docs.Page {
	pages := docs.Pages()
	i := slices.IndexFunc(pages, func(p docs.Page) bool { return p.Subject == subject })
	if i < 0 {
		return nil
	}
	return &pages[i]
}

// printPage writes a page as plain text, bold only on a terminal, and its links as the
// commands that lead there.
func printPage(w base.World, page docs.Page) error {
	otherPage := regexp.MustCompile(`\[([^\]]*)\]\(([a-z-]+)\.md(?:#[a-z-]+)?\)`) // here: each start would pay for a variable
	text := otherPage.ReplaceAllString(page.Text, "$1 (`pawl help $2`)")
	look := base.LookOf(w)
	signs := markdown.Signs{Bullet: "•", Bar: "│", Rule: "─", Cross: "┼", Turned: "↪", Ticked: "☑", Unticked: "☐"}
	if !look.UTF8 {
		signs = markdown.Signs{Bullet: "*", Bar: "|", Rule: "-", Cross: "+", Turned: "\\", Ticked: "[x]", Unticked: "[ ]"}
	}
	width := look.Width
	if width == 0 {
		width = pageWidth
	}
	var out strings.Builder
	for _, line := range markdown.Render(sanitize.Clean(text), width, signs) {
		for _, span := range line {
			if look.Colour && span.Look.Weight&markdown.Strong != 0 {
				fmt.Fprintf(&out, "\x1b[1m%s\x1b[m", span.Text)
				continue
			}
			out.WriteString(string(span.Text))
		}
		out.WriteByte('\n')
	}
	_, err := io.WriteString(w.Out, out.String())
	return err
}

func printSubjects(out io.Writer) error {
	fmt.Fprintln(out, "\nSubjects (pawl help SUBJECT):")
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, page := range docs.Pages() {
		fmt.Fprintf(table, "  %s\t%s\n", page.Subject, page.Idea)
	}
	return table.Flush()
}

// unknownSubject words what pawl help is asked about and does not know.
func unknownSubject(word string, root *cobra.Command) string {
	if here, foreign := foreignCommands[word]; foreign {
		return fmt.Sprintf("there is no command %q: %s", word, here)
	}
	var subjects []string
	for _, page := range docs.Pages() {
		subjects = append(subjects, page.Subject)
	}
	hint := words.DidYouMean(word, slices.Concat(subjects, commandNames(root)))
	return fmt.Sprintf("no help on %q%s (subjects: %s; pawl help lists the commands too)", word, hint, strings.Join(subjects, ", "))
}
