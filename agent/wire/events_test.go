package wire

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

// events reads all of a stream.
func events(r io.Reader) (list []string, stray string, err error) {
	e := NewEvents(r, Keys{"text": nil, "inner": {"index": nil}})
	for {
		data, err := e.Next()
		switch {
		case err == io.EOF:
			return list, string(e.Stray()), nil
		case err != nil:
			return list, string(e.Stray()), err
		}
		list = append(list, string(data))
	}
}

func TestEventsAsServersSendThem(t *testing.T) {
	for name, row := range map[string]struct {
		body  string
		want  []string
		stray string
	}{
		"nothing":               {"", nil, ""},
		"one":                   {"data: 1\n\n", []string{"1"}, ""},
		"no end":                {"data: 1", []string{"1"}, ""},
		"joined":                {"data: [1,\ndata:  2,\ndata:3]\n\n", []string{"[1,\n 2,\n3]"}, ""},
		"whole ones not joined": {"data: {}\ndata: [DONE]\n", []string{"{}", "[DONE]"}, ""},
		"comment between":       {"data: {\"a\":\n: ping\ndata: 1}\n\n", []string{"{\"a\":\n1}"}, ""},
		"comment at the end":    {"data: 1\n: bye", []string{"1"}, ""},
		"comment of data":       {": data: x is a fine thing\ndata: 1\n\n", []string{"1"}, ""},
		"crlf and mark":         {"\ufeffdata: 1\r\n\r\nid: 1\r\n\r\n", []string{"1"}, ""},
		"names, ids, waits":     {"event: x\nid: 7\nretry: 10\ndata: 1\n\n", []string{"1"}, ""},
		"no stream":             {"{\n \"a\": 1\n}\n", nil, "{\n \"a\": 1\n}\n"},
		"empty data":            {"data:\n\ndata:\n\ndata: 1\n\n", []string{"1"}, ""},
		"other fields":          {"data: {\"texts\":1,\"text\":2,\"inner\":[{\"x\":1}]}\n\n", []string{`{"texts":1,"text":2,"inner":[{"x":1}]}`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, stray, err := events(strings.NewReader(row.body))
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			require.Equal(t, row.stray, stray)
		})
	}
}

// Each row would be an event less, or half of one, for a reader that is lenient.
func TestDamagedEventsAreErrors(t *testing.T) {
	for name, body := range map[string]string{
		"field":        "data: 1\n\ndbta: 2\n\n",
		"first field":  "dbta: 1\n\ndata: 2\n\n",
		"colon":        "data; 1\n\ndata: 2\n\n",
		"now comment":  "data: 1\n\n:ata: 2\n\n",
		"in a comment": "data: {}\n\n:data: {}\n\n",
		"space before": "data: 1\n\n data: 2\n\n",
		"no JSON":      "data: {\"text\":\n\n",
		"two in one":   "data: {} {}\n\n",
		"no UTF-8":     "data: {\"text\":\"\xff\"}\n\n",
		"key":          "data: {\"tex4\":\"a\"}\n\n",
		"longer key":   "data: {\"te\u0000xt\":\"a\"}\n\n",
		"capital key":  "data: {\"Text\":\"a\"}\n\n",
		"deep key":     "data: {\"text\":1,\"inner\":[{\"index\":1},{\"Index\":1}]}\n\n",
		"in a name":    "event: x data: {}\n\ndata: {}\n\n",
		"no colon":     "data: 1\n\ndata\n: 2\n\n",
		"shorter key":  "data: {\"tex\":\"a\"}\n\n",
		"split":        "data: {\"text\":\"a\nb\"}\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := events(strings.NewReader(body))
			require.ErrorIs(t, err, ErrUnreadable)
		})
	}
}

func TestKeysThatAreAByteOff(t *testing.T) {
	for _, name := range []string{"texu", "Text", "xtext", "textx", "te\x00xt", "teext", "tex", "ext", "t\nt", "te\n"} {
		require.True(t, byteOff(name, "text"), name)
	}
	for _, name := range []string{"text", "te", "", "tetx", "texts2", "next2", "t", "nex"} {
		require.False(t, byteOff(name, "text"), name)
	}
}

func TestEventsAreBounded(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("data: "), iotest.DataErrReader(strings.NewReader(strings.Repeat("a", maxEvent+1))))
	_, _, err := events(endless)
	require.ErrorIs(t, err, errTooLong)
	_, _, err = events(strings.NewReader(strings.Repeat("data: "+strings.Repeat("a", 1<<20)+"\n", 40)))
	require.ErrorIs(t, err, errTooLong)

	e := NewEvents(strings.NewReader("data: {}\n\n"), nil)
	e.read = maxStream
	_, err = e.Next()
	require.ErrorIs(t, err, errEndless)
	require.False(t, server.Broken(err).Temporary, "it would do so again")
}

// How a stream falls into pieces on its way never changes what it says.
func FuzzEvents(f *testing.F) {
	files, err := filepath.Glob("../*/testdata/*.sse")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("data: {}\ndata: x\n: c\r\n\r\ndata:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, stray, err := events(bytes.NewReader(data))
		pieces, strayPieces, errPieces := events(iotest.OneByteReader(bytes.NewReader(data)))
		require.Equal(t, err, errPieces)
		require.Equal(t, whole, pieces)
		require.Equal(t, stray, strayPieces)
	})
}
