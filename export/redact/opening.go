package redact

import (
	"fmt"

	"pawl/export/book"
)

// opening is one without its texts: numbers and truths stay, and words of a closed set.
func (b *bared) opening(o book.Opening) book.Opening {
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

func (b *bared) openings(all []book.Opening) []book.Opening {
	var without []book.Opening
	for _, o := range all {
		without = append(without, b.opening(o))
	}
	return without
}
