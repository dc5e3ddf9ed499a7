package words

import (
	"fmt"
	"strings"
	"time"
)

// Duration writes a running duration in whole seconds, rounded down: 4s, 1m02s; from an hour on
// in minutes: 2h05m.
func Duration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// Rounded writes a finished duration in as many digits as matter: below a second in
// milliseconds, below a minute in tenths of a second, below an hour in seconds, then in minutes.
// Trailing units that are zero are left out: 12ms, 4.2s, 1m30s, 5m, 2h, 2h5m.
func Rounded(d time.Duration) string {
	switch {
	case d < time.Second:
		d = d.Round(time.Millisecond)
	case d < time.Minute:
		d = d.Round(100 * time.Millisecond)
	case d < time.Hour:
		d = d.Round(time.Second)
	default:
		d = d.Round(time.Minute)
	}
	return Exact(d)
}

// Exact writes a duration in full, in ASCII, without trailing units that are zero: 15us, 1.5s,
// 2m, 1h5m.
func Exact(d time.Duration) string {
	text := d.String()
	if whole, is := strings.CutSuffix(text, "m0s"); is {
		text = whole + "m"
	}
	if whole, is := strings.CutSuffix(text, "h0m"); is {
		text = whole + "h"
	}
	return strings.ReplaceAll(text, "µ", "u")
}

// Ago writes how long ago something was, in its largest unit: now (within a minute), 5m ago, 3h
// ago, 12d ago, 2mo ago, 1y ago. A month has 30 days, a year 365.
func Ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < day:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	case d < 60*day:
		return fmt.Sprintf("%dd ago", int(d/day))
	case d < 365*day:
		return fmt.Sprintf("%dmo ago", int(d/(30*day)))
	}
	return fmt.Sprintf("%dy ago", int(d/(365*day)))
}
