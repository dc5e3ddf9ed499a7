package tools

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools/content"
)

func TestPatch(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		edits []replacement
		want  string
	}{
		"one":                     {"a b c", []replacement{{Old: "b", New: "x"}}, "a x c"},
		"delete":                  {"a\nb\nc\n", []replacement{{Old: "b\n"}}, "a\nc\n"},
		"each on the one before":  {"a", []replacement{{Old: "a", New: "b"}, {Old: "b", New: "c"}}, "c"},
		"all":                     {"a.a.a", []replacement{{Old: "a", New: "aa", All: true}}, "aa.aa.aa"},
		"all of one":              {"ab", []replacement{{Old: "a", New: "x", All: true}}, "xb"},
		"no newline at the end":   {"a\nb", []replacement{{Old: "b", New: "x"}}, "a\nx"},
		"newline asked away":      {"a\nb\n", []replacement{{Old: "b\n", New: "b"}}, "a\nb"},
		"crlf":                    {"a\r\nb\r\nc\r\n", []replacement{{Old: "a\nb", New: "x\ny\nz"}}, "x\r\ny\r\nz\r\nc\r\n"},
		"crlf from the model":     {"a\r\nb\r\n", []replacement{{Old: "a\r\nb", New: "x\r\ny"}}, "x\r\ny\r\n"},
		"crlf from it, not there": {"a\nb\n", []replacement{{Old: "a\r\nb", New: "x\r\ny"}}, "x\ny\n"},
		"crlf, more lines in one": {"a\r\nb\r\n", []replacement{{Old: "a", New: "x\ny"}}, "x\r\ny\r\nb\r\n"},
		"crlf, last line without": {"a\r\nb", []replacement{{Old: "\nb", New: "\nx\n"}}, "a\r\nx\r\n"},
		"crlf, piece ends at it":  {"a\r\nb\r\n", []replacement{{Old: "a\n", New: ""}}, "b\r\n"},
		"crlf, piece before it":   {"a\r\nb\r\n", []replacement{{Old: "a", New: ""}}, "\r\nb\r\n"},
		"mixed, plain part":       {"a\nb\r\nc\n", []replacement{{Old: "a", New: "x\ny"}}, "x\ny\nb\r\nc\n"},
		"mixed, crlf part":        {"a\nb\r\nc\n", []replacement{{Old: "b\n", New: "x\ny\n"}}, "a\nx\r\ny\r\nc\n"},
		"mixed, rest untouched":   {"a\r\n\r\nb\nc\r\n", []replacement{{Old: "b\nc", New: "x"}}, "a\r\n\r\nx\r\n"},
		"lone cr stays":           {"a\rb\nc", []replacement{{Old: "c", New: "x"}}, "a\rb\nx"},
		"byte order mark":         {"\uFEFFa\n", []replacement{{Old: "a", New: "x"}}, "\uFEFFx\n"},
		"byte order mark, old":    {"\uFEFFa\n", []replacement{{Old: "\uFEFFa", New: "\uFEFFx"}}, "\uFEFFx\n"},
		"mark and crlf":           {"\uFEFFa\r\nb\r\n", []replacement{{Old: "a\n", New: "x\n"}}, "\uFEFFx\r\nb\r\n"},
		"bytes that are no text":  {"\xffa\xfe", []replacement{{Old: "a", New: "b"}}, "\xffb\xfe"},
		"letters of many bytes":   {"äöü", []replacement{{Old: "ö", New: "oe"}}, "äoeü"},
		"dollars are only that":   {"a", []replacement{{Old: "a", New: "$1\\1"}}, "$1\\1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, lines, err := patch(c.text, c.edits)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.NotEmpty(t, lines)
		})
	}
}

func TestPatchRefuses(t *testing.T) {
	code := "func a() {\n\tif x {\n\t\treturn 1\n\t}\n}\n\nfunc b() {\n\treturn 2\n}\n"
	for name, c := range map[string]struct {
		text string
		edit replacement
		want string
	}{
		"ambiguous":            {"a\nb\na\n", replacement{Old: "a", New: "x"}, "edits[0].old is there 2 times, at lines 1, 3: include the lines around"},
		"ambiguous, one line":  {"a a a", replacement{Old: "a", New: "x"}, "is there 3 times, at line 1:"},
		"ambiguous, overlap":   {"aaa", replacement{Old: "aa", New: "x"}, "is there 2 times"},
		"ambiguous, crlf":      {"a\r\nb\r\na\r\nb", replacement{Old: "a\nb", New: "x"}, "is there 2 times, at lines 1, 3"},
		"no change":            {"a", replacement{Old: "a", New: "a"}, "is the same as new"},
		"no change, crlf":      {"a\r\nb", replacement{Old: "a\nb", New: "a\r\nb"}, "is the same as new"},
		"empty":                {"a", replacement{Old: "", New: "a"}, "is empty"},
		"only a mark":          {"a", replacement{Old: "\uFEFF", New: "a"}, "is empty"},
		"nothing like it":      {code, replacement{Old: "zzzz qqqq"}, "nor is anything like it"},
		"like a line":          {code, replacement{Old: "func c() {"}, "the nearest is line 1: `func a() {`"},
		"white space":          {code, replacement{Old: "  if x {\n"}, "it differs in white space from line 2: `\tif x {`"},
		"white space, later":   {code, replacement{Old: "\tif x {\n    return 1\n"}, "it differs in white space from line 3: `\t\treturn 1`"},
		"another line":         {code, replacement{Old: "func b() {\n\treturn 3\n}"}, "it begins at line 7, but line 8 is `\treturn 2` and old has `\treturn 3`"},
		"past the end":         {"a\nb", replacement{Old: "b\nc"}, "it begins at line 2, but the file ends there"},
		"numbers of read":      {code, replacement{Old: "     1\tfunc a() {"}, "leave out the line numbers"},
		"empty file":           {"", replacement{Old: "a"}, "is not in the file"},
		"mark inside the text": {"\uFEFFa", replacement{Old: "\uFEFF\uFEFFa"}, "is not in the file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := patch(c.text, []replacement{c.edit})
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, _, err := patch("ab", []replacement{{Old: "a", New: "b", All: true}, {Old: "bb", New: "ab"}})
	require.ErrorContains(t, err, "the edits change nothing")
}

// What an edit does is refuse, or put exactly the asked text in exactly one place.
func FuzzEdit(f *testing.F) {
	for _, seed := range [][3]string{
		{"a\nb\n", "a", "x"},
		{"a\r\nb\r\n", "a\nb", "x\ny"},
		{"\uFEFFa\r\n", "a\r\n", ""},
		{"aaa", "aa", "b"},
		{"a\r\r\nb", "\r\nb", "\nc"},
		{"x\rY", "Y", "\nZ"},
		{"", "a", "b"},
		{"no end\r\nat all", "all", "\n"},
		{"\xff\r\n\xfe", "\n", "\r"},
		{"a\n\r\nb", "\n\n", "\n"},
	} {
		f.Add(seed[0], seed[1], seed[2], false)
		f.Add(seed[0], seed[1], seed[2], true)
	}
	// Line ends as they come to be when a lone "\r" meets a "\n".
	plain := func(s string) string { return regexp.MustCompile(`\r+\n`).ReplaceAllString(s, "\n") }
	f.Fuzz(func(t *testing.T, text, old, fresh string, all bool) {
		got, lines, err := patch(text, []replacement{{Old: old, New: fresh, All: all}})
		if err != nil {
			if got != "" || lines != nil {
				t.Fatalf("an error with a result: %q %v", got, lines)
			}
			return
		}
		mark := ""
		if strings.HasPrefix(text, content.ByteOrderMark) {
			mark = content.ByteOrderMark
		}
		old, fresh = plainLines(strings.TrimPrefix(old, content.ByteOrderMark)), plainLines(strings.TrimPrefix(fresh, content.ByteOrderMark))
		body := plainLines(strings.TrimPrefix(text, content.ByteOrderMark))
		number := strings.Count(body, old)
		if !all && number != 1 {
			t.Fatalf("%q is in %q %d times, and one was replaced", old, text, number)
		}
		if want := strings.ReplaceAll(body, old, fresh); plain(got) != plain(mark+want) {
			t.Fatalf("%q with %q for %q gives %q, want %q but for line ends", text, fresh, old, got, mark+want)
		}
		requireRestKept(t, strings.TrimPrefix(text, mark), strings.TrimPrefix(got, mark), old)
	})
}

// requireRestKept holds an edit of a text to its bytes outside the first and the
// last place, its end with or without a newline among them, and to its line ends
// where all of them were the same.
func requireRestKept(t *testing.T, text, got, old string) {
	t.Helper()
	plain := plainLines(text)
	first := strings.Index(plain, old)
	end := first
	for next := 0; next >= 0; next = strings.Index(plain[end:], old) {
		end += next + len(old)
	}
	if front := text[:byteAt(text, first)]; !strings.HasPrefix(got, front) {
		t.Fatalf("%q no longer begins with %q: %q", text, front, got)
	}
	if back := text[byteAt(text, end):]; !strings.HasSuffix(got, back) {
		t.Fatalf("%q no longer ends with %q: %q", text, back, got)
	}
	ends := strings.Count(text, "\n")
	if ends > 0 && ends == strings.Count(text, "\r\n") && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Fatalf("%q had CRLF alone: %q", text, got)
	}
}

// byteAt finds a position among characters, of which CRLF is one, in bytes.
func byteAt(text string, position int) int {
	at := 0
	for range position {
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		at++
	}
	return at
}
