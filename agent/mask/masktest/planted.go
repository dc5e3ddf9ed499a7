// Package masktest has the secrets that tests plant, to see that no mask lets them through.
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

// Plant is a secret as it is found in the wild.
type Plant struct {
	Text   string // what surrounds it; SECRET marks what must go
	Secret Pieced
}

// Pieced is a text that its file has in pieces, so that no scanner takes it for a leak.
type Pieced string

// UnmarshalJSON joins the pieces.
func (p *Pieced) UnmarshalJSON(raw []byte) error {
	var pieces []string
	err := json.Unmarshal(raw, &pieces)
	*p = Pieced(strings.Join(pieces, ""))
	return err
}

// With is the text with the secret in its place, or something else.
func (p Plant) With(instead string) string { return strings.ReplaceAll(p.Text, "SECRET", instead) }

// Planted are all of them, by what they are.
func Planted(t testing.TB) map[string]Plant {
	t.Helper()
	table := map[string]Plant{}
	require.NoError(t, json.Unmarshal(planted, &table))
	return table
}
