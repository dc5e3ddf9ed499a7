package tools

import (
	"bytes"
	"net/http"
	"strings"
)

const (
	sniffed       = 8 << 10 // bytes of a file that tell what it is
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

// binary says whether data is no text, as git and ripgrep tell.
func binary(data []byte) bool { return bytes.IndexByte(data[:min(sniffed, len(data))], 0) >= 0 }
