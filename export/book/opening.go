package book

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/lifecycle"
)

// Opening is one time that a process opened a session and added to its log: the versions and
// settings of what follows. Its JSON is part of the schema.
type Opening struct {
	Seq      lifecycle.Seq `json:"seq"` // its first record
	Time     time.Time     `json:"time"`
	Pawl     string        `json:"pawl"`     // version and commit
	Platform string        `json:"platform"` // as in linux/amd64
	Database int           `json:"database"` // version of the schema
	Screen   bool          `json:"screen"`   // false for pawl -p and pawl acp
	Trusted  bool          `json:"trusted"`  // everything that the folder brings along
	// Settings are those in force, by dotted name: strings, numbers, booleans and lists of
	// strings.
	Settings map[string]any `json:"settings"`
}

// Openings returns the openings up to Upto.
func (b *Book) Openings() []Opening {
	all := []Opening{}
	for _, o := range b.Source.Openings {
		if o.Seq <= b.Upto {
			o.Time = o.Time.UTC()
			all = append(all, o)
		}
	}
	return all
}

// Limits returns the limits in force when a record was written: the defaults if no opening says.
func (s Source) Limits(at lifecycle.Seq) lifecycle.Limits {
	limits := lifecycle.DefaultLimits()
	for _, o := range s.Openings {
		if o.Seq > at {
			break
		}
		o.limit("subagents.max_background", &limits.Background)
		o.limit("limits.max_remote", &limits.Remote)
	}
	return limits
}

// limit reads a limit, if it was set.
func (o Opening) limit(name string, limit *int) {
	switch n := o.Settings[name].(type) {
	case int:
		*limit = n
	case float64: // from JSON
		*limit = int(n)
	}
}

// Facts describes the opening in words, without its settings.
func (o Opening) Facts() string {
	how := "without a screen"
	if o.Screen {
		how = "on the screen"
	}
	trust := "the folder not trusted"
	if o.Trusted {
		trust = "the folder trusted"
	}
	return fmt.Sprintf("from record %d, %s, %s, %s: Pawl %s on %s, database %d", o.Seq, Stamp(o.Time), how, trust, o.Pawl, o.Platform, o.Database)
}

// SettingLines lists the settings, sorted by name, without empty lists.
func (o Opening) SettingLines() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		value, err := json.Marshal(o.Settings[name])
		if err != nil {
			panic("export: write a setting: " + err.Error())
		}
		text := Unescape.Replace(string(value))
		if text == "[]" || text == "null" {
			continue
		}
		all = append(all, name+" = "+strings.ReplaceAll(text, `","`, `", "`))
	}
	return all
}
