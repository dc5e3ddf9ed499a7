package chroma

import (
	"slices"
	"strings"
	"testing"
)

// kinds writes the tokens that have a look as type:text.
func kinds(language, source string) []string {
	names := map[TokenType]string{
		Comment: "comment", Keyword: "word", KeywordType: "type", LiteralNumber: "number", LiteralString: "string",
		NameFunction: "call", NameAttribute: "key", NameTag: "tag", GenericInserted: "in", GenericDeleted: "out", GenericSubheading: "head",
	}
	var list []string
	for _, token := range Tokens(language, source) {
		if name := names[token.Type]; name != "" {
			list = append(list, name+":"+strings.TrimSuffix(token.Text, "\n"))
		}
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

func TestTokensLoseNothing(t *testing.T) {
	pieces := []string{"", "'", "\"", "`", "/*", "*/", "//", "#", "<", ">", "</", "a", "9", "\\", "\n", "é", "\xff", "-", ":", "\"\"\"", " "}
	for name := range known() {
		for _, a := range pieces {
			for _, b := range pieces {
				for _, c := range pieces {
					source := a + b + c + "x\n" + b
					var whole strings.Builder
					for _, token := range Tokens(name, source) {
						whole.WriteString(token.Text)
					}
					if whole.String() != source {
						t.Fatalf("%s: %q became %q", name, source, whole.String())
					}
				}
			}
		}
	}
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
