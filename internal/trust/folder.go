package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Folder remembers what the user has said about the files of a folder that would make Pawl start
// programs or send data. Answers go by content: a changed file is a new one.
type Folder struct {
	Facts Facts
	Path  string
}

// Answer is a remembered answer.
type Answer string

// The answers, a closed set.
const (
	Unseen     Answer = "" // not answered for this content
	Trusted    Answer = "yes"
	Distrusted Answer = "never"
)

// Name is the name of the fact about a file.
func (t Folder) Name(file string) string { return t.FactName("trust:", file) }

// FactName is the name of a fact of a kind. Symbolic links in the folder's path are resolved: a
// link to a trusted folder is that folder, and a link that has been redirected is not.
func (t Folder) FactName(kind, file string) string {
	folder, err := filepath.EvalSymlinks(t.Path)
	if err != nil {
		folder = t.Path
	}
	return kind + filepath.Join(folder, file)
}

// Digest identifies a content in a fact: its SHA-256, in hexadecimal.
func Digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// Of returns the answer about a file with this content, and the lines that were shown at the
// last answer about the file, whatever its content was then.
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
	return Unseen, lines[1:], nil // written by a newer Pawl
}

// mostShown limits how much of the shown lines is kept, in bytes.
const mostShown = 64 << 10

// Remember stores the answer and the lines that were shown, replacing earlier ones.
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
