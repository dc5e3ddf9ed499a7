package chat

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// events reads all of a stream; a comment is "-".
func events(r io.Reader) (list []string, stray string, err error) {
	d := newDecoder(r)
	for {
		data, err := d.next()
		switch {
		case err == io.EOF:
			return list, string(d.stray), nil
		case err != nil:
			return list, string(d.stray), err
		case data == nil:
			list = append(list, "-")
		default:
			list = append(list, string(data))
		}
	}
}

func TestDecoder(t *testing.T) {
	for name, row := range map[string]struct {
		body  string
		want  []string
		stray string
	}{
		"nothing":               {"", nil, ""},
		"one":                   {"data: a\n\n", []string{"a"}, ""},
		"no end":                {"data: a", []string{"a"}, ""},
		"joined":                {"data: a\ndata:  b\ndata:c\n\n", []string{"a\n b\nc"}, ""},
		"whole ones not joined": {"data: {}\ndata: [DONE]\n", []string{"{}", "[DONE]"}, ""},
		"comment between":       {"data: {\"a\":\n: ping\ndata: 1}\n\n", []string{"-", "{\"a\":\n1}"}, ""},
		"comment at the end":    {"data: a\n: bye", []string{"-", "a"}, ""},
		"crlf and bom":          {"\ufeffdata: a\r\n\r\nid: 1\r\n\r\n", []string{"a"}, ""},
		"stray":                 {"oops: x\ndata: a\n\n", []string{"a"}, "oops: x\n"},
		"empty data":            {"data\n\ndata:\n\ndata: a\n\n", []string{"a"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, stray, err := events(strings.NewReader(row.body))
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			require.Equal(t, row.stray, stray)
		})
	}
}

func TestDecoderIsBounded(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("data: "), iotest.DataErrReader(strings.NewReader(strings.Repeat("a", longestEvent+1))))
	_, _, err := events(endless)
	require.ErrorIs(t, err, errTooLong)
	_, _, err = events(strings.NewReader(strings.Repeat("data: "+strings.Repeat("a", 1<<20)+"\n", 40)))
	require.ErrorIs(t, err, errTooLong)
}

// How a stream falls into pieces on its way never changes what it says.
func FuzzDecoder(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sse")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("data: {}\ndata: x\n: c\r\n\r\ndata:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, stray, err := events(bytes.NewReader(data))
		require.NoError(t, err)
		pieces, strayPieces, err := events(iotest.OneByteReader(bytes.NewReader(data)))
		require.NoError(t, err)
		require.Equal(t, whole, pieces)
		require.Equal(t, stray, strayPieces)
	})
}
