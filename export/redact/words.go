package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"pawl/agent"
	"pawl/export/book"
	"pawl/internal/words"
)

// text is how long a text was; nothing stays nothing.
func (b *bared) text(s string) string {
	if s == "" {
		return ""
	}
	return "(" + characters(s) + ")"
}

func characters(s string) string { return words.CountGrouped(utf8.RuneCountInString(s), "character") }

func (b *bared) texts(all []string) []string {
	var without []string
	for _, one := range all {
		without = append(without, b.text(one))
	}
	return without
}

// subject is a text that is compared with others: what was denied, and granted later.
func (b *bared) subject(s string) string {
	if s == "" {
		return ""
	}
	return "(" + characters(s) + ", " + b.tag(s, 4) + ")"
}

// raw is how long a JSON value was, as a JSON string.
func (b *bared) raw(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return nil
	}
	return book.AsJSON(json.RawMessage(b.text(string(value)))) // which is no JSON
}

// tag tells things apart without telling what they are, in two letters a byte.
func (b *bared) tag(s string, size int) string {
	code := hmac.New(sha256.New, b.key)
	_, _ = code.Write([]byte(s)) // it never fails
	return hex.EncodeToString(code.Sum(nil)[:size])
}

var (
	// ids are Pawl's own UUIDs and what providers call their calls.
	plainID = whenAsked(`^[A-Za-z0-9_-]{1,64}$`)
	// words are the values of closed sets, and words like person or hook.
	plainWord = whenAsked(`^[a-z][a-z_]{0,31}$`)
	// models are provider/name, and what some providers put into a name; no path of a file.
	plainModel = whenAsked(`^[A-Za-z0-9][\w.:@+-]*(/[A-Za-z0-9][\w.:@+-]*){0,3}$`)
	// kinds of media are type/subtype.
	plainMedia = whenAsked(`^[a-z]+/[a-z0-9.+-]{1,40}$`)
)

// whenAsked is a pattern that is compiled when it is first used: one with bounds like
// {1,64} takes a fifth of a millisecond, which a start without an export need not pay.
func whenAsked(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// bareID is an id. One that does not look like an id may be a text: it becomes one that
// is the same wherever it stands.
func bareID[ID ~string](b *bared, id ID) ID {
	if id == "" || plainID().MatchString(string(id)) {
		return id
	}
	return ID("id-" + b.tag(string(id), 8))
}

// bareWord is a value of a closed set; one that nobody knows may be a text.
func bareWord[W ~string](w W) W {
	if w == "" || plainWord().MatchString(string(w)) {
		return w
	}
	return "unknown"
}

func (b *bared) model(name string) string {
	if name == "" || len(name) <= 128 && plainModel().MatchString(name) {
		return name
	}
	return "model-" + b.tag(name, 4)
}

// tool is a tool's name: of others than Pawl's own, only whether it is a server's. Names
// of servers tell what people work with.
func (b *bared) tool(name string) string {
	switch {
	case name == "", slices.Contains(OwnTools(), name):
		return name
	case strings.HasPrefix(name, "mcp__"):
		return "mcp__" + b.tag(name, 4)
	}
	return "tool-" + b.tag(name, 4) // that a model thought up
}

// OwnTools are the tools whose names an export without content keeps: Pawl's own.
func OwnTools() []string {
	return []string{
		"agent", "agent_list", "agent_output", "agent_send", "agent_stop", "edit", "fetch", "glob", "grep", "list", "read",
		"shell", "shell_kill", "shell_output", "skill", "task", "todo", "tool_search", "write",
	}
}

// kind is a type of subagents: of others than those that every folder has, only that it
// is another.
func (b *bared) kind(name string) string {
	if name == "" || name == "shell" || slices.ContainsFunc(agent.BuiltinTypes(), func(t agent.Type) bool { return t.Name == name }) {
		return name
	}
	return "type-" + b.tag(name, 4)
}

// image is the size of a picture; its sum would say which one it is.
func (b *bared) image(i book.Image) book.Image {
	if !plainMedia().MatchString(i.MediaType) {
		i.MediaType = fmt.Sprintf("unknown/%s", b.tag(i.MediaType, 4))
	}
	i.SHA256 = b.tag(i.SHA256, sha256.Size)
	return i
}
