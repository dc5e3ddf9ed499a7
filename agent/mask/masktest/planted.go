// Package masktest has the secrets that tests plant to check that masks hide them.
package masktest

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed planted.json
var planted []byte

// Plant is a secret with its usual surroundings.
type Plant struct {
	Text   string // the text around it; SECRET marks its place
	Secret Pieced
}

// Pieced is a string stored in pieces, so that no scanner reports it as a leak.
type Pieced string

// UnmarshalJSON joins the pieces.
func (p *Pieced) UnmarshalJSON(raw []byte) error {
	var pieces []string
	err := json.Unmarshal(raw, &pieces)
	*p = Pieced(strings.Join(pieces, ""))
	return err
}

// With returns the text with instead at the place of the secret.
func (p Plant) With(instead string) string { return strings.ReplaceAll(p.Text, "SECRET", instead) }

// Planted returns all of them, by name.
func Planted(t testing.TB) map[string]Plant {
	t.Helper()
	table := map[string]Plant{}
	require.NoError(t, json.Unmarshal(planted, &table))
	return table
}
