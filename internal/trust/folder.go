package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Folder is what the user has said about the files of a folder that would make Pawl
// start programs or send something somewhere. It is remembered by content: a file
// that has changed is one that nobody has seen.
type Folder struct {
	Facts Facts
	Path  string
}

// Answer is an answer that was remembered.
type Answer string

// The answers, a closed set.
const (
	Unseen     Answer = "" // nobody has said anything about this content
	Trusted    Answer = "yes"
	Distrusted Answer = "never"
)

// Name is of the fact about a file.
func (t Folder) Name(file string) string { return t.FactName("trust:", file) }

// FactName is the name of a fact of some kind. A folder is meant by where it really is: a
// link to a trusted one is that one, and a link that points elsewhere by now is not.
func (t Folder) FactName(kind, file string) string {
	folder, err := filepath.EvalSymlinks(t.Path)
	if err != nil {
		folder = t.Path
	}
	return kind + filepath.Join(folder, file)
}

// Digest stands for a content in a fact: SHA-256, in hexadecimal.
func Digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// Of is what was said about a file with this content, and what was shown when
// something was last said about the file.
func (t Folder) Of(ctx context.Context, file, content string) (said Answer, shown []string, err error) {
	value, err := t.Facts.Fact(ctx, t.Name(file))
	if err != nil || value == "" {
		return Unseen, nil, err
	}
	lines := strings.Split(value, "\n")
	word, sum, _ := strings.Cut(lines[0], " ")
	if sum != Digest(content) {
		return Unseen, lines[1:], nil
	}
	switch v := Answer(word); v {
	case Trusted, Distrusted:
		return v, lines[1:], nil
	case Unseen:
	}
	return Unseen, lines[1:], nil // a newer Pawl's word
}

// mostShown bounds what is kept of what was shown, in bytes.
const mostShown = 64 << 10

// Remember keeps what was said and what was shown, in place of what was there before.
func (t Folder) Remember(ctx context.Context, file, content string, said Answer, shown []string) error {
	value := string(said) + " " + Digest(content)
	for _, line := range shown {
		if len(value)+len(line) > mostShown {
			break
		}
		value += "\n" + strings.ReplaceAll(line, "\n", " ")
	}
	return t.Facts.SetFact(ctx, t.Name(file), value)
}

// Forget makes Pawl ask again.
func (t Folder) Forget(ctx context.Context, file string) error {
	return t.Facts.SetFact(ctx, t.Name(file), "")
}
