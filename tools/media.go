package tools

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

const (
	sniffed       = 8 << 10 // bytes of a file that tell what it is
	maxPicture    = 5 << 20
	textType      = "text"
	byteOrderMark = "\uFEFF"
)

// mediaType tells what a file is by how it starts: "text", or the media type of
// what is none. Any text will do, in any encoding that has no NUL in it.
func mediaType(start []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(start), ";")
	nul := bytes.IndexByte(start, 0) >= 0
	switch {
	case nul && strings.HasPrefix(kind, "text/"):
		return "text in UTF-16"
	case nul:
		return kind
	case strings.HasPrefix(kind, "text/"), kind == "application/octet-stream", kind == "application/postscript":
		return textType
	}
	return kind
}

// isPicture says whether models can be shown a thing of that type.
func isPicture(kind string) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

func picture(name, kind string, size int64, r io.Reader) (agent.Result, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPicture+1))
	if err != nil {
		return agent.Result{}, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxPicture {
		return agent.Result{}, fmt.Errorf("%s is a picture (%s) of %s, read shows pictures up to %s: make it smaller first", name, kind, words.Size(size), words.Size(maxPicture))
	}
	text := fmt.Sprintf("%s: %s, %s", name, kind, words.Size(int64(len(data))))
	return agent.Result{
		Text:   text,
		View:   agent.PlainView{Text: text},
		Images: []agent.Image{{MediaType: kind, Data: data}},
	}, nil
}
