package quick

import (
	"strings"
	"testing"
)

func TestHighlightColoursEachLineByItself(t *testing.T) {
	var b strings.Builder
	if err := Highlight(&b, "x := `a\nb` // c\n", "go", "", "nord"); err != nil {
		t.Fatal(err)
	}
	green, faint, off := "\x1b[38;2;163;190;140m", "\x1b[3;38;2;123;136;161m", "\x1b[0m"
	want := "x := " + green + "`a" + off + "\n" + green + "b`" + off + " " + faint + "// c" + off + "\n"
	if b.String() != want {
		t.Errorf("got %q\nwant %q", b.String(), want)
	}
}

func TestHighlightWithoutAStyleIsTheTextItself(t *testing.T) {
	var b strings.Builder
	if err := Highlight(&b, "func a() {}", "go", "", "no such"); err != nil {
		t.Fatal(err)
	}
	if b.String() != "func a() {}" {
		t.Errorf("got %q", b.String())
	}
}
