package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// doctorReport is what pawl doctor --json gives.
type doctorReport struct {
	OK       bool     `json:"ok"`
	Version  string   `json:"version"`
	Platform string   `json:"platform"`
	Problems []string `json:"problems"`
	Next     string   `json:"next"`
	Sections []struct {
		Title    string          `json:"title"`
		Findings []doctorFinding `json:"findings"`
	} `json:"sections"`
}

type doctorFinding struct {
	Name  string   `json:"name"`
	Level string   `json:"level"`
	Says  string   `json:"says"`
	Do    string   `json:"do"`
	More  []string `json:"more"`
	Value any      `json:"value"`
}

func (d doctorReport) finding(t *testing.T, title, name string) doctorFinding {
	t.Helper()
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if s.Title == title && f.Name == name {
				return f
			}
		}
	}
	require.Failf(t, "no such finding", "%s, %s in %+v", title, name, d)
	return doctorFinding{}
}
