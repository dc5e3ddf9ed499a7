package content

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
)

// Sniffed is how many bytes of the start of a file tell what it is.
const Sniffed = 8 << 10

// ByteOrderMark is what some texts begin with; it is no part of their first line.
const ByteOrderMark = "\uFEFF"

// Text is the type of what can be read and edited as lines.
const Text = "text"

// TypeOf tells what a file is by how it starts, of which it needs no more than Sniffed
// bytes: Text, or the media type of what is none. Any text will do, in any encoding that
// has no NUL in it.
func TypeOf(start []byte) string {
	start = start[:min(Sniffed, len(start))]
	kind, _, _ := strings.Cut(http.DetectContentType(start), ";")
	nul := bytes.IndexByte(start, 0) >= 0
	switch {
	case nul && strings.HasPrefix(kind, "text/"):
		return "text in UTF-16"
	case nul:
		return kind
	case strings.HasPrefix(kind, "text/"), kind == "application/octet-stream", kind == "application/postscript":
		return Text
	}
	return kind
}

// IsPicture says whether models can be shown a thing of that type.
func IsPicture(kind string) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// IsText says whether a media type is text, as far as its name tells.
func IsText(kind string) bool {
	kind, _, err := mime.ParseMediaType(kind)
	if err != nil {
		return false
	}
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") || strings.HasSuffix(kind, "+yaml") {
		return true
	}
	switch strings.TrimPrefix(strings.TrimPrefix(kind, "application/"), "x-") {
	case "json", "jsonl", "ndjson", "json5", "xml", "yaml", "toml", "javascript", "ecmascript", "typescript",
		"sh", "shellscript", "python", "perl", "ruby", "php", "sql", "graphql", "tex", "httpd-php":
		return true
	}
	return false
}

// Binary says whether data is no text, as git and ripgrep tell.
func Binary(data []byte) bool { return bytes.IndexByte(data[:min(Sniffed, len(data))], 0) >= 0 }
