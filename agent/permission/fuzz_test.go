package permission

import (
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// FuzzCommandLine holds the reader of command lines to a second one that shares
// nothing with it but the grammar: a line is never allowed unless each simple command
// in it, printed by itself, is; and a denied command that stands before any line, or
// in it, is never allowed.
func FuzzCommandLine(f *testing.F) {
	for _, row := range lineTable() {
		if len(row.line) < 1000 {
			f.Add(row.line)
		}
	}
	allowing := ruled(f, nil, nil, muchAllowed)
	denying := ruled(f, littleDenied, nil, []string{"shell(*)"})
	f.Fuzz(func(t *testing.T, line string) {
		if got, _ := allowing.Decide(Default, shellEffect(line)); got == Allow {
			requireEachAllowed(t, allowing, line)
		}
		for _, joint := range append(joints(), behind(line)...) {
			joined := fmt.Sprintf(joint, "git push", line)
			if got, _ := denying.Decide(Bypass, shellEffect(joined)); got == Allow {
				t.Fatalf("not denied: %q", joined)
			}
		}
		if rule, err := ParseRule(line); err == nil {
			again, err := ParseRule(rule.String())
			if err != nil || again.String() != rule.String() {
				t.Fatalf("%q is read as %v, then as %v: %v", line, rule, again, err)
			}
		}
		if rule, err := ParseRule("shell(" + line + ")"); err == nil {
			rule.mightMatch(shellEffect(line))
			rule.plainlyMatches(shellEffect(line))
		}
	})
}

// behind are the joints that put the denied command behind a line that is whole by
// itself: no document, comment or backslash of it reaches what follows.
func behind(line string) []string {
	_, whole := parseLine(line)
	if !whole || strings.Contains(line, "<<") || strings.HasSuffix(line, `\`) {
		return nil
	}
	return []string{"%[2]s\n%[1]s", "%[2]s\n(%[1]s)", "(\n%[2]s\n) || %[1]s"}
}

// requireEachAllowed takes a line apart by the nodes of its grammar. One of a kind
// that it does not know is not allowed.
func requireEachAllowed(t *testing.T, r Rules, line string) {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		t.Fatalf("allowed, and not a line: %q", line)
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case nil, *syntax.File, *syntax.Comment, *syntax.Word, *syntax.Lit, *syntax.BinaryCmd, *syntax.Subshell, *syntax.Block, *syntax.DblQuoted:
		case *syntax.SglQuoted:
			if node.Dollar {
				t.Fatalf("allowed with escapes: %q", line)
			}
		case *syntax.Stmt:
			if node.Background || node.Coprocess || node.Disown {
				t.Fatalf("allowed in the background: %q", line)
			}
		case *syntax.Redirect:
			target := line[node.Word.Pos().Offset():node.Word.End().Offset()]
			clean := strings.NewReplacer(`"`, "", "'", "", `\`, "", "\n", "").Replace(target)
			if clean != "/dev/null" && strings.Trim(clean, "0123456789") != "" {
				t.Fatalf("allowed with a redirection to %q: %q", target, line)
			}
		case *syntax.CallExpr:
			requireAllowedAlone(t, r, line, node)
		default:
			t.Fatalf("allowed with a %T: %q", node, line)
		}
		return true
	})
}

func requireAllowedAlone(t *testing.T, r Rules, line string, call *syntax.CallExpr) {
	t.Helper()
	var alone strings.Builder
	if err := syntax.NewPrinter().Print(&alone, call); err != nil || len(call.Assigns) > 0 {
		t.Fatalf("allowed with settings: %q: %v", line, err)
	}
	if got, _ := r.Decide(Default, shellEffect(alone.String())); got != Allow {
		t.Fatalf("allowed, but %q alone is not: %q", alone.String(), line)
	}
}
