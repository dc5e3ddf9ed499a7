package stories

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// holders are the functions of the rooms that connect that have the process's own output in
// hand. All others get a world, whose standard error cleans and masks each line.
var holders = map[string]string{
	"base Standard":    "hands it on; standard error behind plainLines",
	"guard MoveStderr": "takes standard error away from libraries",
	"guard takeLine":   "the guard's one line on what ended Pawl",
	"front newFront":   "what a host says, cleaned, once the terminal is right",
	"launch runHelper": "the helper's one line, before the command has its streams",
	"app becomeWorker": "its standard error is a pipe, and read as anybody's",
	"server main":      "another program, pawl-server, whose own they are",
}

// tools are programs of their own, which a developer starts.
var tools = []string{"internal/modulepath", "internal/packaging", "internal/site", "internal/soak"}

func TestOnlyKnownPlacesHaveTheTerminal(t *testing.T) {
	files, err := filepath.Glob("internal/*/*.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || slices.Contains(tools, filepath.Dir(file)) {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range parsed.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				if e, ok := n.(*ast.SelectorExpr); ok && terminalFile(e) {
					found[filepath.Base(filepath.Dir(file))+" "+function.Name.Name] = true
				}
				return true
			})
		}
	}
	known := map[string]bool{}
	for name := range holders {
		known[name] = true
	}
	require.Equal(t, known, found)
}

// terminalFile says that an expression is one of the process's own files.
func terminalFile(e *ast.SelectorExpr) bool {
	of, named := e.X.(*ast.Ident)
	return named && of.Name == "os" && (e.Sel.Name == "Stdout" || e.Sel.Name == "Stderr")
}
