package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// makers are the places that make a drawn type out of anything but a constant, and
// why each may. Whatever else is drawn comes out of these types, so a text that was
// never cleaned cannot reach the screen from anywhere else.
var makers = map[string]string{
	"composer/composer.go Measure":      "words of ours",
	"send.go names":                     "clean names, joined",
	"draw/ascii.go ASCII":               "a drawn line with other signs",
	"draw/canvas.go Cut":                "a piece of a clean text",
	"draw/canvas.go CutStyled":          "a drawn line, cut",
	"draw/canvas.go CutWords":           "a piece of a clean text",
	"draw/canvas.go Fit":                "a piece of a drawn line",
	"draw/canvas.go Hang":               "spaces",
	"draw/canvas.go Join":               "drawn parts, joined",
	"draw/canvas.go Pad":                "spaces",
	"draw/canvas.go Sprintf":            "words of ours with clean values: it cleans them",
	"draw/canvas.go Wrap":               "a clean text, broken",
	"draw/charm.go lines":               "the lines of a drawn text, by Lip Gloss",
	"draw/charm.go frames":              "the signs of a spinner of Bubbles",
	"draw/diff.go render":               "a sign of ours before a line",
	"draw/lines.go barred":              "signs of ours, repeated",
	"draw/lines.go MarkLeft":            "pieces of a drawn line",
	"draw/lines.go Ruled":               "a sign of ours, repeated",
	"draw/links.go File":                "a link to an address that was escaped",
	"draw/links.go linked":              "a link to an address that was escaped",
	"draw/markdown.go Line":             "clean spans, each in a look of ours",
	"draw/spark.go Spark":               "signs of ours, joined",
	"draw/theme.go Draw":                "a clean text in a look: the way in for all others",
	"draw/underlay.go Underlay":         "a drawn line with a sequence of ours",
	"list/picker_view.go row":           "spaces at the end of a drawn line, taken off",
	"help.go shown":                     "the name of a key",
	"completion/prompts.go Render":      "what Line gave, kept as a string to be searched",
	"recorded.go bar":                   "signs of ours, repeated",
	"signals.go renewBar":               "a number inside a sequence of ours",
	"terminal/emulator.go Notification": "a clean text inside a sequence of ours",
	"timeline/lane.go Line":             "signs of ours, joined, and what was drawn of them",
	"timeline/ticks.go ticks":           "numbers, units and spaces",
	"transcript/opencode.go outdented":  "clean lines, joined again",
	"typed.go typedKeys":                "the name of a command of ours",
}

// writers are the places that write to a terminal past the screen, and why each may.
var writers = map[string]string{
	"terminal/program.go Run":      "a sequence of ours",
	"terminal/program.go Output":   "where all is drawn",
	"terminal/clipboard.go Copy":   "the way for a clipping",
	"terminal/clipboard.go Write":  "the way for a sequence",
	"terminal/handover.go Release": "a sequence of ours",
}

// conversions lists where the files of a folder turn a value that is no constant into
// one of some types, and where they use one of some functions.
func conversions(t *testing.T, folder string, types, functions []string) (made, used map[string]bool) {
	t.Helper()
	made, used = map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range parsed.Decls {
			where := filepath.Base(file)
			if function, ok := decl.(*ast.FuncDecl); ok {
				where += " " + function.Name.Name
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
					if _, constant := call.Args[0].(*ast.BasicLit); !constant && named(call.Fun, types) {
						made[where] = true
					}
				}
				if e, ok := n.(ast.Expr); ok && named(e, functions) {
					used[where] = true
				}
				return true
			})
		}
	}
	return made, used
}

// named says that an expression is one of these names, with their package if they
// have one.
func named(e ast.Expr, names []string) bool {
	text := ""
	switch e := e.(type) {
	case *ast.Ident:
		text = e.Name
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			text = of.Name + "." + e.Sel.Name
		}
	}
	for _, name := range names {
		if before, all := strings.CutSuffix(name, "*"); text == name || all && strings.HasPrefix(text, before) {
			return true
		}
	}
	return false
}

func TestOnlyKnownPlacesMakeWhatIsDrawn(t *testing.T) {
	allMade, allUsed := map[string]bool{}, map[string]bool{}
	for _, room := range []string{"", "draw/", "terminal/", "composer/", "dashboard/", "fleet/", "list/", "scroll/", "approval/", "completion/", "timeline/", "transcript/"} {
		made, used := conversions(t, "./"+room, []string{"styled", "Styled", "draw.Styled", "sequence", "Sequence", "draw.Sequence", "sanitize.Text", "sanitize.Clipping"},
			[]string{"tea.Raw", "tea.Print*", "tea.SetClipboard", "tea.SetPrimaryClipboard", "os.Stdout", "os.Stderr", "io.WriteString", "fmt.Fprint*", "fmt.Print*"})
		for place := range made {
			allMade[room+place] = true
		}
		for place := range used {
			allUsed[room+place] = true
		}
	}
	require.Equal(t, known(makers), allMade)
	require.Equal(t, known(writers), allUsed)
}

func TestOnlyKnownPlacesMakeWhatMarkdownShows(t *testing.T) {
	made, _ := conversions(t, "markdown", []string{"sanitize.Text"}, nil)
	require.Equal(t, map[string]bool{"code.go codeOf": true}, made, "pieces of a clean text, joined again")
}

func TestWithoutAScreenTooOnlyKnownPlacesWrite(t *testing.T) {
	made, used := conversions(t, "headless", []string{"sanitize.Text"}, []string{"os.Stdout", "os.Stderr", "io.WriteString", "fmt.Fprint*", "fmt.Print*"})
	require.Empty(t, made)
	require.Equal(t, map[string]bool{"answer.go writeText": true, "line.go tell": true}, used)
}

func known(reasons map[string]string) map[string]bool {
	places := map[string]bool{}
	for place := range reasons {
		places[place] = true
	}
	return places
}
