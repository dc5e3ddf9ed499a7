package highlight

import (
	"slices"
	"strings"
	"testing"
)

// kinds writes the tokens that have a look as type:text.
func kinds(language, source string) []string {
	names := map[Kind]string{
		Comment: "comment", Keyword: "word", Type: "type", Number: "number", String: "string",
		Function: "call", Attribute: "key", Tag: "tag", Inserted: "in", Deleted: "out", Section: "head",
	}
	var list []string
	at := 0
	tokens, _ := Tokens(language, source)
	for _, token := range tokens {
		if name := names[token.Kind]; name != "" {
			list = append(list, name+":"+strings.TrimSuffix(source[at:token.End], "\n"))
		}
		at = token.End
	}
	return list
}

func TestTokensOfLanguages(t *testing.T) {
	for _, test := range []struct{ language, source, want string }{
		{"go", "func add(a int) string { return \"x\" + `y\nz` } // done", "word:func call:add type:int type:string word:return string:\"x\" string:`y\nz` comment:// done"},
		{"Python", "def f(x):  # why\n    return '''a\nb''' or 1.5", "word:def call:f comment:# why word:return string:'''a\nb''' word:or number:1.5"},
		{"bash", "for f in *; do echo \"$f\" # each\ndone; echo $# a#b", "word:for word:in word:do string:\"$f\" comment:# each word:done"},
		{"rust", "fn f<'a>(s: &'a str) -> Vec<u8> { 'x' }", "word:fn type:str type:Vec type:u8 string:'x'"},
		{"json", `{"a": "b", "n": -1, "t": true}`, `key:"a" string:"b" key:"n" number:1 key:"t" word:true`},
		{"yaml", "name: x # why\n- key-two: 'y'", "key:name comment:# why key:key-two string:'y'"},
		{"sql", "SELECT name FROM t WHERE id = 5 -- one", "word:SELECT word:FROM word:WHERE number:5 comment:-- one"},
		{"html", `<a href="x">it's a class</a><!-- c -->`, `tag:a key:href string:"x" tag:a comment:<!-- c -->`},
		{"diff", "@@ -1 +1 @@\n-old\n+new\n same", "head:@@ -1 +1 @@ out:-old in:+new"},
		{"no such", `say "this" to 5`, `string:"this" number:5`},
		{"", `say "this"`, ""},
		{"text", `say "this"`, ""},
		{"go linenos=true", "nil", "word:nil"},
	} {
		if got := strings.Join(kinds(test.language, test.source), " "); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.language, got, test.want)
		}
	}
}

// pieces are the beginnings and ends of all that languages know.
var pieces = []string{"", "'", "\"", "`", "/*", "*/", "//", "#", "<", ">", "</", "a", "9", "\\", "\n", "é", "\xff", "-", ":", "\"\"\"", " "}

func TestTokensLoseNothing(t *testing.T) {
	for _, l := range languages() {
		name, _, _ := strings.Cut(l.names, " ")
		for _, a := range pieces {
			for _, b := range pieces {
				for _, c := range pieces {
					source := a + b + c + "x\n" + b
					tokens, settled := Tokens(name, source)
					at := 0
					for _, token := range tokens {
						if token.End <= at {
							t.Fatalf("%s: %q has a token without a letter at %d", name, source, at)
						}
						at = token.End
					}
					if at != len(source) {
						t.Fatalf("%s: of %q only %d bytes are told apart", name, source, at)
					}
					first, _ := Tokens(name, source[:settled])
					second, _ := Tokens(name, source[settled:])
					if got := kindsAt(first, 0) + kindsAt(second, settled); got != kindsAt(tokens, 0) {
						t.Fatalf("%s: %q, begun anew at %d, has other tokens:\n%s\n%s", name, source, settled, got, kindsAt(tokens, 0))
					}
				}
			}
		}
	}
}

// kindsAt is the kind of each byte.
func kindsAt(tokens []Token, from int) string {
	var b strings.Builder
	at := from
	for _, token := range tokens {
		b.WriteString(strings.Repeat(string(rune('a'+token.Kind)), from+token.End-at))
		at = from + token.End
	}
	return b.String()
}

func TestEveryLanguageHasOneNameOnly(t *testing.T) {
	var names []string
	for _, l := range languages() {
		names = append(names, strings.Fields(l.names)...)
	}
	slices.Sort(names)
	if once := slices.Compact(slices.Clone(names)); len(once) != len(names) {
		t.Errorf("a name stands twice: %v", names)
	}
}
