package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// trust is what the user has said about the files of a folder that would make Pawl
// start programs or send something somewhere. It is remembered by content: a file
// that has changed is one that nobody has seen.
type trust struct {
	facts  facts
	folder string
}

// facts is where it is remembered.
type facts interface {
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// verdict is an answer that was remembered.
type verdict string

// The verdicts, a closed set.
const (
	unseen     verdict = "" // nobody has said anything about this content
	trusted    verdict = "yes"
	distrusted verdict = "never"
)

// name is of the fact about a file. A folder is meant by where it really is: a
// link to a trusted one is that one, and a link that points elsewhere by now is not.
func (t trust) name(file string) string {
	folder, err := filepath.EvalSymlinks(t.folder)
	if err != nil {
		folder = t.folder
	}
	return "trust:" + filepath.Join(folder, file)
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// of is what was said about a file with this content.
func (t trust) of(ctx context.Context, file, content string) (verdict, error) {
	value, err := t.facts.Fact(ctx, t.name(file))
	said, sum, _ := strings.Cut(value, " ")
	if err != nil || sum != digest(content) {
		return unseen, err
	}
	switch v := verdict(said); v {
	case trusted, distrusted:
		return v, nil
	case unseen:
	}
	return unseen, nil // a newer Pawl's word
}

// remember keeps what was said, in place of what was said before.
func (t trust) remember(ctx context.Context, file, content string, said verdict) error {
	return t.facts.SetFact(ctx, t.name(file), string(said)+" "+digest(content))
}
