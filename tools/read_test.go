package tools

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestReadShowsNumberedLines(t *testing.T) {
	w := plant(t, "-- a.go --\npackage a\n\nfunc F() {}\n")
	result := done(t, Read(w), args{"path": "a.go"})
	require.Equal(t, "     1\tpackage a\n     2\t\n     3\tfunc F() {}\n", result.Text)
	require.Equal(t, agent.PlainView{Text: "a.go, lines 1-3 of 3"}, result.View)
}

func TestReadAPartOfAFile(t *testing.T) {
	w := plant(t, "-- a --\n1\n2\n3\n4\n5\n")
	result := done(t, Read(w), args{"path": "a", "offset": 2, "limit": 2})
	require.Equal(t, "     2\t2\n     3\t3\n[lines 2-3 of 5; go on with offset 4]\n", result.Text)
	require.Equal(t, agent.PlainView{Text: "a, lines 2-3 of 5"}, result.View)
	require.Contains(t, refused(t, Read(w), args{"path": "a", "offset": 6}), "a has 5 lines: offset 6 is past its end")
}

func TestReadTextOfEveryKind(t *testing.T) {
	w := plant(t, "")
	for name, c := range map[string]struct{ content, want string }{
		"no newline at the end": {"a\nb", "     1\ta\n     2\tb\n"},
		"only newlines":         {"\n\n", "     1\t\n     2\t\n"},
		"crlf":                  {"a\r\nb\r\n", "     1\ta\n     2\tb\n[line ends are CRLF, which edit keeps]\n"},
		"byte order mark":       {"\uFEFFa\n", "     1\ta\n"},
		"latin-1":               {"caf\xe9\n", "     1\tcaf\uFFFD\n"},
		"escape codes stay":     {"\x1b[31mred\n", "     1\t\x1b[31mred\n"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, w.Folder(), "f", c.content)
			require.Equal(t, c.want, done(t, Read(w), args{"path": "f"}).Text)
		})
	}
}

func TestReadBoundsWhatItShows(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "long", strings.Repeat("é", 2001)+"\nshort\n")
	text := done(t, Read(w), args{"path": "long"}).Text
	require.Contains(t, text, "     1\t"+strings.Repeat("é", 2000)+" [… cut]\n     2\tshort\n")
	require.Contains(t, text, "[1 long line cut at 2000 characters: cut -c in shell shows the rest]")

	put(t, w.Folder(), "many", strings.Repeat("x\n", 3000))
	text = done(t, Read(w), args{"path": "many"}).Text
	require.Equal(t, 2000+1, strings.Count(text, "\n"))
	require.Contains(t, text, "[lines 1-2000 of 3000; go on with offset 2001]")

	put(t, w.Folder(), "wide", strings.Repeat(strings.Repeat("x", 1000)+"\n", 1000))
	text = done(t, Read(w), args{"path": "wide"}).Text
	require.Less(t, len(text), resultText)
	require.Greater(t, len(text), resultText-3000)
	require.Contains(t, text, "of 1000; go on with offset ")
}

func TestReadOfOneHugeLineIsBounded(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "huge", strings.Repeat("0123456789abcdef", 6<<20)+"\nend\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := done(t, Read(w), args{"path": "huge"}).Text
	runtime.ReadMemStats(&after)
	require.Contains(t, text, "     2\tend\n")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
}

func TestReadRefuses(t *testing.T) {
	w := plant(t, "-- src/main.go --\nx\n-- src/mane.go --\n-- docs/guide.md --\n")
	put(t, w.Folder(), "data.bin", "\x00\x01\x02")
	put(t, w.Folder(), "paper.pdf", "%PDF-1.7 rest")
	put(t, w.Folder(), "utf16.txt", "\xff\xfea\x00b\x00")
	for path, want := range map[string]string{
		"data.bin":       "data.bin is binary (application/octet-stream, 3 B)",
		"paper.pdf":      "paper.pdf is binary (application/pdf, 13 B)",
		"utf16.txt":      "utf16.txt is binary (text in UTF-16, 6 B)",
		"src/maim.go":    "src/maim.go does not exist: did you mean src/main.go, src/mane.go?",
		"guide.md":       "guide.md does not exist: did you mean docs/guide.md?",
		"zzzzz":          "zzzzz does not exist",
		"src/main.go/x":  "src/main.go/x does not exist: a part of its path is a file",
		"src":            "src is a folder: use list",
		"docs/GUIDE2.md": "did you mean docs/guide.md?",
	} {
		require.Contains(t, refused(t, Read(w), args{"path": path}), want)
	}
}

func TestReadOfAnEmptyFileSaysSo(t *testing.T) {
	w := plant(t, "-- empty --\n")
	require.Equal(t, "empty is empty (0 B)", done(t, Read(w), args{"path": "empty"}).Text)
}

func TestReadShowsPictures(t *testing.T) {
	w := plant(t, "")
	pixels := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black})
	for kind, encode := range map[string]func(*bytes.Buffer) error{
		"image/png":  func(b *bytes.Buffer) error { return png.Encode(b, pixels) },
		"image/jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, pixels, nil) },
		"image/gif":  func(b *bytes.Buffer) error { return gif.Encode(b, pixels, nil) },
		"image/webp": func(b *bytes.Buffer) error { b.WriteString("RIFF\x10\x00\x00\x00WEBPVP8 rest"); return nil },
	} {
		var b bytes.Buffer
		require.NoError(t, encode(&b))
		put(t, w.Folder(), "picture", b.String())
		result := done(t, Read(w), args{"path": "picture"})
		require.Equal(t, []agent.Image{{MediaType: kind, Data: b.Bytes()}}, result.Images)
		require.Contains(t, result.Text, "picture: "+kind)
	}
	put(t, w.Folder(), "big.png", "\x89PNG\x0D\x0A\x1A\x0A"+strings.Repeat("x", maxPicture))
	require.Contains(t, refused(t, Read(w), args{"path": "big.png"}), "make it smaller")
}

func TestAPictureThatIsTooWideForModelsIsGivenToNone(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "wide.png", drawing(t, agent.WidestImage+1, 1))
	put(t, w.Folder(), "tall.png", drawing(t, 1, agent.WidestImage))
	const why = "wide.png is a picture (image/png) of 8001×1 pixels, models take up to 8000 on a side: make it smaller first"
	require.Contains(t, refused(t, Read(w), args{"path": "wide.png"}), why)
	require.Len(t, done(t, Read(w), args{"path": "tall.png"}).Images, 1)
	require.Equal(t, []string{"left wide.png: " + why, "tall.png: image 1×8000"}, noted(Attach(t.Context(), w, "@wide.png @tall.png", nil, true)))
}

func TestReadEndsWithItsContext(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "lines", strings.Repeat("text\n", 10_000))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := readFile(ctx, w, "lines", newPage(0, 0))
	require.ErrorIs(t, err, errCanceled)
}
