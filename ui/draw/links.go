package draw

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Links are terminal hyperlinks (OSC 8) around text that names their target: the address itself,
// so that no text can lie, or a file of the folder. They are added last, to clean text; the
// sanitiser lets none through.

// addresses matches web addresses; punctuation at the end is not part of them.
var addresses = regexp.MustCompile("https?://[^\\s<>\"`|\\\\^{}]+")

// addressesIn returns the web addresses in a text as they are written there, with the target of
// each.
func addressesIn(text string) map[string]string {
	found := map[string]string{}
	for _, words := range addresses.FindAllString(text, -1) {
		words = strings.TrimRight(words, ".,;:!?*'_~")
		for _, pair := range []string{"()", "[]"} {
			for strings.HasSuffix(words, pair[1:]) && strings.Count(words, pair[:1]) < strings.Count(words, pair[1:]) {
				words = strings.TrimRight(words[:len(words)-1], ".,;:!?*'_~")
			}
		}
		if u, err := url.Parse(words); err == nil && u.Host != "" {
			found[words] = printable(u.String())
		}
	}
	return found
}

// printable escapes characters that are not allowed in a control sequence.
func printable(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.WriteString(url.PathEscape(address[i : i+1]))
		}
	}
	return b.String()
}

// linked makes the web addresses of a text into links where they are drawn, even over several
// lines.
func (c Canvas) linked(lines []Styled, text string) []Styled {
	if !c.Links || !strings.Contains(text, "://") {
		return lines
	}
	known := addressesIn(text)
	if len(known) == 0 {
		return lines
	}
	var rest, to string // of an address that continues on the next line
	with := make([]Styled, len(lines))
	for i, line := range lines {
		var parts []linkPart
		parts, rest, to = linksIn(ansi.Strip(string(line)), known, rest, to)
		for n := len(parts) - 1; n >= 0; n-- {
			line = Underlay(line, parts[n].from, parts[n].end, Sequence(ansi.SetHyperlink(parts[n].to)), Sequence(ansi.ResetHyperlink()))
		}
		with[i] = line
	}
	return with
}

// linkPart is a part of a line that is a link, and its target.
type linkPart struct {
	from, end int
	to        string
}

// linksIn finds the addresses in one line, beginning with the rest of one from the line above.
func linksIn(line string, known map[string]string, rest, to string) (parts []linkPart, left, leftTo string) {
	at := 0
	if rest != "" {
		from := strings.IndexFunc(line, func(r rune) bool { return r > ' ' && r < 0x7f }) // our signs come before it
		if from >= 0 {
			n, whole := shared(line[from:], rest)
			if n > 0 {
				parts = append(parts, linkPart{from, from + n, to})
			}
			if n > 0 && !whole {
				return parts, rest[n:], to
			}
			at = from + n
		}
	}
	for at < len(line) {
		next := strings.Index(line[at:], "http")
		if next < 0 {
			break
		}
		from := at + next
		best, end := "", from+1
		for words := range known {
			if n, whole := shared(line[from:], words); n > 0 && (whole || from+n == len(line)) && len(words) > len(best) && n > len("https://") {
				best, end = words, from+n
			}
		}
		if best != "" {
			parts = append(parts, linkPart{from, end, known[best]})
			if end-from < len(best) {
				return parts, best[end-from:], known[best]
			}
		}
		at = end
	}
	return parts, "", ""
}

// shared is how many bytes of an address a line begins with: all of it, or as much as fits on
// the line; 0 for neither.
func shared(line, address string) (n int, whole bool) {
	switch {
	case strings.HasPrefix(line, address):
		return len(address), true
	case line != "" && strings.HasPrefix(address, line):
		return len(line), false
	}
	return 0, false
}

// File draws the name of a file of the folder as a link to it, and any other name as plain text.
func (c Canvas) File(name string, text Styled) Styled {
	if !c.Links || c.Folder == "" || name == "" {
		return text
	}
	if filepath.IsAbs(name) {
		inside, err := filepath.Rel(c.Folder, name)
		if err != nil {
			return text
		}
		name = inside
	}
	if !filepath.IsLocal(name) {
		return text
	}
	to := url.URL{Scheme: "file", Path: filepath.Join(c.Folder, name)}
	return Styled(ansi.SetHyperlink(printable(to.String()))) + text + Styled(ansi.ResetHyperlink())
}

// Listed draws an item of a listing as a link to its file: a name, possibly followed by a place
// and words.
func (c Canvas) Listed(item string, text Styled) Styled {
	name, _, _ := strings.Cut(item, ":")
	return c.File(strings.TrimSpace(name), text)
}
