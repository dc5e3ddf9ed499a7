package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
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

// openings are those that had begun by then.
func (b *book) openings() []Opening {
	all := []Opening{}
	for _, o := range b.src.Openings {
		if o.Seq <= b.upto {
			o.Time = o.Time.UTC()
			all = append(all, o)
		}
	}
	return all
}

// limits are what the session was held to when a record was written: the design's, where
// no opening tells.
func (s Source) limits(at lifecycle.Seq) lifecycle.Limits {
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

// facts says in words what opened the session, the settings apart.
func (o Opening) facts() string {
	how := "without a screen"
	if o.Screen {
		how = "on the screen"
	}
	trust := "the folder not trusted"
	if o.Trusted {
		trust = "the folder trusted"
	}
	return fmt.Sprintf("from record %d, %s, %s, %s: Pawl %s on %s, database %d", o.Seq, stamp(o.Time), how, trust, o.Pawl, o.Platform, o.Database)
}

// settings lists the settings in words, in the order of their names. An empty list is
// left out.
func (o Opening) settings() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		value, err := json.Marshal(o.Settings[name])
		if err != nil {
			panic("export: write a setting: " + err.Error())
		}
		text := unescape.Replace(string(value))
		if text == "[]" || text == "null" {
			continue
		}
		all = append(all, name+" = "+strings.ReplaceAll(text, `","`, `", "`))
	}
	return all
}

// openings writes under which versions and settings the session was driven.
func (p *paper) openings() {
	all := p.book.openings()
	if len(all) == 0 {
		return
	}
	p.printf("## Versions and settings\n\n")
	for _, o := range all {
		p.printf("- %s\n", p.code(o.facts(), longLine))
		for _, line := range o.settings() {
			p.printf("  - %s\n", p.code(line, longLine))
		}
	}
	p.printf("\n")
}

// openings does so on a page, folded.
func (s *sheet) openings() {
	all := s.book.openings()
	if len(all) == 0 {
		return
	}
	s.put("<section>\n<h2>Versions and settings</h2>\n<details>\n<summary>The session was opened %s</summary>\n", words.CountGrouped(len(all), "time"))
	for _, o := range all {
		s.put("<p class=\"note\">%s</p>\n<pre>%s</pre>\n", o.facts(), strings.Join(o.settings(), "\n"))
	}
	s.put("</details>\n</section>\n")
}

// opening is one without its texts: numbers and truths stay, and words of a closed set.
func (b *bared) opening(o Opening) Opening {
	settings := map[string]any{}
	for name, value := range o.Settings {
		if !plainName().MatchString(name) {
			name = "setting-" + b.tag(name, 4)
		}
		switch v := value.(type) {
		case string:
			if name == "model" {
				v = b.model(v)
			} else if !plainSetting().MatchString(v) {
				v = b.text(v)
			}
			settings[name] = v
		case []string:
			settings[name] = append([]string{}, b.texts(v)...)
		case []any: // as it was read from JSON
			all := []string{}
			for _, one := range v {
				all = append(all, b.text(fmt.Sprint(one)))
			}
			settings[name] = all
		case bool, int, float64:
			settings[name] = v
		}
	}
	o.Settings = settings
	return o
}

var (
	// plainSetting is a word or a time span.
	plainSetting = whenAsked(`^[a-z0-9.-]{0,16}$`)
	// plainName is a dotted name.
	plainName = whenAsked(`^[a-z_]{1,32}(\.[a-z_]{1,32}){0,3}$`)
)

func (b *bared) openings(all []Opening) []Opening {
	var without []Opening
	for _, o := range all {
		without = append(without, b.opening(o))
	}
	return without
}
