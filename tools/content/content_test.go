package content

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileIsWhatItBeginsWith(t *testing.T) {
	for start, want := range map[string]string{
		"": Text, "package main\n": Text, "caf\xe9": Text, ByteOrderMark + "x": Text, "%!PS-Adobe": Text, "<html>": Text,
		"\xff\xfex\x00": "text in UTF-16", "\x00\x01": "application/octet-stream", "\x89PNG\x0D\x0A\x1A\x0A": "image/png", "%PDF-1.7": "application/pdf",
		strings.Repeat("x", Sniffed) + "\x00": Text,
	} {
		require.Equal(t, want, TypeOf([]byte(start)), "%q", start)
	}
	require.True(t, IsPicture("image/webp"))
	require.False(t, IsPicture("image/svg+xml"))
	require.True(t, Binary([]byte("x\x00")))
	require.False(t, Binary([]byte(strings.Repeat("x", Sniffed)+"\x00")))
}

func TestLinesAreGivenInBoundedMemory(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	lines := NewLines(bufio.NewReaderSize(strings.NewReader(ByteOrderMark+"a\r\n\n"+long+"\nend"), 16), 5, func() error { return nil })
	var got []string
	var crlf []bool
	for line := range lines.All {
		got, crlf = append(got, string(line)), append(crlf, lines.CRLF)
	}
	require.NoError(t, lines.Err)
	require.Equal(t, []string{"a\r\n", "\n", "xxxxx", "end"}, got)
	require.Equal(t, []bool{true, false, false, false}, crlf)

	stop := errors.New("stop")
	lines = NewLines(bufio.NewReaderSize(strings.NewReader(long), 16), 5, func() error { return stop })
	for range lines.All {
		t.Fatal("a line was given after the reading had ended")
	}
	require.ErrorIs(t, lines.Err, stop)
}

func TestWhatAMediaTypeCallsTextIsText(t *testing.T) {
	for _, kind := range []string{"text/x-anything", "application/json; charset=utf-8", "image/svg+xml", "application/x-sh", "application/sql"} {
		require.True(t, IsText(kind), kind)
	}
	for _, kind := range []string{"", "image/png", "application/zip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"} {
		require.False(t, IsText(kind), kind)
	}
}
