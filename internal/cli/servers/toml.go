package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"pawl/agent/settings"
)

// Settings are changed as text, so that comments, order and spelling stay what they were.

// withServer adds a server as a table at the end.
func withServer(text, name string, s settings.Server) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if text != "" {
		text += "\n"
	}
	return text + tableOf(name, s)
}

// tableOf writes a server as people would.
func tableOf(name string, s settings.Server) string {
	lines := []string{"[mcp." + keyOf(name) + "]"}
	add := func(key, value string) { lines = append(lines, key+" = "+value) }
	if len(s.Command) > 0 {
		add("command", listOf(s.Command))
	}
	if s.URL != "" {
		add("url", stringOf(s.URL))
	}
	if len(s.Env) > 0 {
		add("env", mapOf(s.Env))
	}
	if len(s.Headers) > 0 {
		add("headers", mapOf(s.Headers))
	}
	if s.ClientID != "" {
		add("client_id", stringOf(s.ClientID))
	}
	if s.Scopes != nil {
		add("scopes", listOf(s.Scopes))
	}
	if s.CallbackPort != 0 {
		add("callback_port", fmt.Sprint(s.CallbackPort))
	}
	return strings.Join(lines, "\n") + "\n"
}

// stringOf is a basic string: what JSON escapes, TOML does too, but for DEL.
func stringOf(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(text, "\uFFFD")) // a string can always be encoded
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

func listOf(all []string) string {
	quoted := make([]string, len(all))
	for i, one := range all {
		quoted[i] = stringOf(one)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func mapOf(all map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		pairs = append(pairs, keyOf(key)+" = "+stringOf(all[key]))
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// keyOf quotes a key that is not a bare one.
func keyOf(key string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if key != "" && !strings.ContainsFunc(key, func(r rune) bool { return !bare(r) }) {
		return key
	}
	return stringOf(key)
}

// piece is a table's header or a key with its value, from the line where it begins to the one
// behind its end.
type piece struct {
	from, to int // lines, from 0
	mine     bool
}

// withoutServer removes what sets a server up: its tables, and keys of it in other tables. The
// comments between its lines go too, and those above and below it stay. It is false where nothing
// of the server is found. text must be valid TOML.
func withoutServer(text, name string) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	pieces := piecesOf(text, name)
	gone := make([]bool, len(lines))
	found := false
	for i, p := range pieces {
		if !p.mine {
			continue
		}
		found = true
		end := p.to
		if next := i + 1; next < len(pieces) && pieces[next].mine {
			end = pieces[next].from // with the comments between them
		}
		for at := p.from; at < end; at++ {
			gone[at] = true
		}
	}
	var kept strings.Builder
	for at, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if gone[at] || blank && at > 0 && gone[at-1] && (kept.Len() == 0 || strings.HasSuffix(kept.String(), "\n\n")) {
			gone[at] = gone[at] || blank // one blank line stays between its neighbours
			continue
		}
		kept.WriteString(line)
	}
	if gone[len(lines)-1] || len(lines) > 1 && gone[len(lines)-2] { // it was the last: no blank line is left behind
		return strings.TrimRight(kept.String(), "\n") + strings.Repeat("\n", min(1, kept.Len())), found
	}
	return kept.String(), found
}

// piecesOf parts a text into its headers and keys, and marks those of a server.
func piecesOf(text, name string) (pieces []piece) {
	var parser unstable.Parser
	parser.Reset([]byte(text))
	var table []string
	for parser.NextExpression() {
		expression := parser.Expression()
		var path []string
		from := 0
		for keys := expression.Key(); keys.Next(); {
			if path == nil {
				from = parser.Shape(keys.Node().Raw).Start.Line - 1
			}
			path = append(path, string(keys.Node().Data))
		}
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = path
		case unstable.KeyValue:
			path = slices.Concat(table, path)
		default:
			continue
		}
		if len(pieces) > 0 {
			pieces[len(pieces)-1].to = min(pieces[len(pieces)-1].to, from)
		}
		pieces = append(pieces, piece{from, endOf(&parser, expression, text, from), len(path) > 1 && path[0] == "mcp" && path[1] == name})
	}
	return pieces
}

// endOf is the line behind an expression: values may take several lines.
func endOf(parser *unstable.Parser, of *unstable.Node, text string, from int) int {
	last := from
	var look func(*unstable.Node)
	look = func(node *unstable.Node) {
		if node.Raw.Length > 0 {
			last = max(last, parser.Shape(node.Raw).End.Line-1)
		}
		for children := node.Children(); children.Next(); {
			look(children.Node())
		}
	}
	look(of)
	// A list or an inline table may end below its last value.
	lines := strings.SplitAfter(text, "\n")
	for end := last + 1; end <= len(lines); end++ {
		if parses(strings.Join(lines[from:end], "")) {
			return end
		}
	}
	return last + 1
}

func parses(text string) bool {
	var parser unstable.Parser
	parser.Reset([]byte(text))
	for parser.NextExpression() {
		parser.Expression()
	}
	return parser.Error() == nil
}
