package main

import (
	"go/ast"
	"go/printer"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyTable reads the table of keys from the screen's source: place and key of each
// binding.
func keyTable(t *testing.T) map[string]bool {
	t.Helper()
	table := map[string]bool{}
	eachFile(t, "ui/*.go", func(file *ast.File) {
		var open string // the place of the binding that add makes, in the function around
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				place, keys := binding(t, n)
				for _, key := range keys {
					table[place+" "+key] = true
				}
				if place != "" && len(keys) == 0 {
					open = place
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "add" && len(n.Args) > 3 {
					for _, arg := range n.Args[3:] {
						table[open+" "+literals(arg)[0]] = true
					}
				}
			}
			return true
		})
	})
	return table
}

// binding is the place and the keys of a binding that is written out; no keys for
// any other value.
func binding(t *testing.T, lit *ast.CompositeLit) (place string, keys []string) {
	t.Helper()
	for _, element := range lit.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return "", nil
		}
		name, _ := field.Key.(*ast.Ident)
		switch {
		case name == nil:
			return "", nil
		case name.Name == "at":
			var b strings.Builder
			require.NoError(t, printer.Fprint(&b, token.NewFileSet(), field.Value))
			place = b.String()
		case name.Name == "keys":
			keys = literals(field.Value)
		}
	}
	return place, keys
}

// literals are the strings that are written out below a node.
func literals(n ast.Node) []string {
	var found []string
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// pressedIn reads what each test sends to the terminal: what it gives type_, and
// what stands in its lists.
func pressedIn(t *testing.T) map[string][]string {
	t.Helper()
	constants, bodies := map[string]string{}, map[string]*ast.BlockStmt{}
	eachFile(t, "*_test.go", func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				bodies[n.Name.Name] = n.Body
			case *ast.ValueSpec:
				if len(n.Names) == 1 && len(n.Values) == 1 {
					if text := literals(n.Values[0]); len(text) == 1 {
						constants[n.Names[0].Name] = text[0]
					}
				}
			}
			return true
		})
	})
	pressed := map[string][]string{}
	for name, body := range bodies {
		if strings.HasPrefix(name, "Test") {
			pressed[name] = sentBy(body, constants)
		}
	}
	return pressed
}

func sentBy(body *ast.BlockStmt, constants map[string]string) (sent []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		var values []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"type_", "answer", "answerWide"}, f.Sel.Name) {
				values = n.Args
			}
		case *ast.CompositeLit:
			values = n.Elts
		}
		for _, value := range values {
			switch value := value.(type) {
			case *ast.Ident:
				sent = append(sent, constants[value.Name])
			case *ast.BasicLit:
				sent = append(sent, literals(value)...)
			}
		}
		return true
	})
	return sent
}

// sequences are the keys that terminals send as more than a character.
var sequences = map[string]string{
	"enter": keyEnter, "esc": keyEsc, "tab": keyTab, "shift+tab": keyShiftTab, "space": " ",
	"up": keyUp, "down": keyDown, "left": keyLeft, "right": keyRight,
	"pgup": keyPgUp, "pgdown": keyPgDown, "home": "\x1b[H", "end": "\x1b[F", "delete": "\x1b[3~", "backspace": "\x7f",
	"shift+enter": "\x1b[13;2u", "shift+backspace": "\x1b[127;2u", "ctrl+backspace": "\x1b[127;5u",
	"alt+enter": "\x1b\r", "alt+backspace": "\x1b\x7f", "ctrl+alt+h": keyAltCtrlH, "alt+delete": keyAltDelete, "ctrl+delete": keyCtrlDelete,
	"alt+shift+,": keyAltShiftComma, "alt+shift+.": keyAltShiftPeriod, "ctrl+/": keyCtrlSlash, "ctrl+shift+-": keyCtrlShiftMinus,
}

// sequence is what a terminal sends for a key of the table.
func sequence(key string) string {
	if seq, ok := sequences[key]; ok {
		return seq
	}
	parts := strings.Split(key, "+")
	modifiers, name := 0, parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		modifiers += map[string]int{"shift": 1, "alt": 2, "ctrl": 4}[part]
	}
	base := sequences[name]
	switch {
	case modifiers > 0 && len(base) == 3: // ESC [ D becomes ESC [ 1 ; 3 D
		return "\x1b[1;" + strconv.Itoa(1+modifiers) + base[2:]
	case modifiers == 4 && len(name) == 1:
		return string(rune(name[0] & 0x1f))
	case modifiers == 2 && len(name) == 1:
		return keyEsc + name
	}
	return key
}
