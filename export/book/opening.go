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

// Opening is one time that a process took a session up and added to its log: the
// versions and the settings that what follows was done under. Its JSON is part of the
// schema.
type Opening struct {
	Seq      lifecycle.Seq `json:"seq"` // its first record
	Time     time.Time     `json:"time"`
	Pawl     string        `json:"pawl"`     // the version, with its commit
	Platform string        `json:"platform"` // as in linux/amd64
	Database int           `json:"database"` // the version of the schema
	Screen   bool          `json:"screen"`   // else without one, pawl -p or pawl acp
	Trusted  bool          `json:"trusted"`  // all that the folder brings along
	// Settings are those in force, by dotted name: texts, numbers, truths and lists of
	// texts.
	Settings map[string]any `json:"settings"`
}

// Openings are those that had begun by then.
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

// Limits are what the session was held to when a record was written: the design's, where
// no opening tells.
func (s Source) Limits(at lifecycle.Seq) lifecycle.Limits {
	limits := lifecycle.DefaultLimits()
	for _, o := range s.Openings {
		if o.Seq > at {
			break
		}
		switch n := o.Settings["subagents.max_background"].(type) {
		case int:
			limits.Background = n
		case float64: // as it was read from JSON
			limits.Background = int(n)
		}
	}
	return limits
}

// Facts says in words what opened the session, the settings apart.
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

// SettingLines lists the settings in words, in the order of their names. An empty list is
// left out.
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
