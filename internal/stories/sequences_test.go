package stories

import (
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// attacks are what a text of others may try on a terminal, one of every class. Their
// parameters are such that Pawl itself would never write the same.
var attacks = map[string]string{
	"title":            "\x1b]0;OWNED\a\x1b]1;OWNED\x1b\\\x1b]2;OWNED\a",
	"clipboard":        "\x1b]52;c;T1dORUQ=\x1b\\\x1b]52;p;T1dORUQ=\a",
	"link":             "\x1b]8;id=owned;javascript:OWNED\x1b\\x\x1b]8;;\x1b\\",
	"notification":     "\x1b]9;OWNED\a\x1b]99;;OWNED\x1b\\\x1b]777;notify;OWNED;OWNED\a",
	"progress":         "\x1b]9;4;4;66\a",
	"folder, file":     "\x1b]7;file://owned/\a\x1b]1337;File=inline=1:T1dO\a\x1b]50;OWNED\a",
	"colours":          "\x1b]4;1;#f00\a\x1b]10;#f00\a\x1b]11;#f00\a\x1b]12;#f00\a\x1b]104\a",
	"query":            "\x1b[6n\x1b[c\x1b[>c\x1b[=c\x1b[18t\x1b[21t\x1b[?15n\x1b[>q\x05",
	"DCS query":        "\x1bP$qm\x1b\\\x1bP+q544e\x1b\\",
	"APC, PM, SOS":     "\x1b_Gowned\x1b\\\x1b^owned\x1b\\\x1bXowned\x1b\\",
	"cursor":           "\x1b[77;66H\x1b[66A\x1b[66;7f\x1bM\x1b7\x1b8\x1b[s\x1b[u",
	"erase":            "\x1b[3J\x1b[66X\x1b[66L\x1b[66M\x1b[66P\x1b[66@\x1b[66S",
	"modes":            "\x1b[?8l\x1b[?6h\x1b[?5h\x1b[?47h\x1b[?1003h\x1b[4h\x1b[5;9r\x1b[66 q",
	"reset, charset":   "\x1bc\x1b[!p\x1b#8\x1b(0\x1b)0\x0e\x0f\x1b=\x1b>",
	"conceal":          "\x1b[8mhidden\x1b[28m",
	"C0":               "over\rwrite\b\b\a\v\f\x00\x7f",
	"C1 as characters": "\u009b66;66H\u009d0;OWNED\u009c\u0090$qm\u009c\u0085\u008d",
	"bidi":             "a\u202eb\u202dc\u2066d\u2067e\u2068f\u2069g\u200eh\u200fi\u061cj",
	"invisible":        "pay\u200bpal\u2060\ufeff\u00ad\u034f\u115f\u3164\u2800\u180e\U000e0041\U000e007f\ufff9\u2028\u2029",
	"marks":            "z" + strings.Repeat("\u0301", 200),
	"private":          "\ue000\U000f0000",
	"unfinished":       "\x1b]0;OWNED",
}

// attack is all of them one after another, in valid UTF-8 as JSON and file names
// need it. It may stand in one line.
func attack() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(attacks)) {
		b.WriteString(strings.ReplaceAll(attacks[name], "\x00", "") + " ")
	}
	return b.String()
}

// rawAttack adds what only bytes can do: C1 controls of one byte, and an unfinished
// character before an escape.
func rawAttack() string {
	return attack() + "\x9b66;66H\x9d0;OWNED\x9c\x90$qm\x9c \xc3\x1b]0;OWNED\a \xe2\x80\x1b[77;66H \xff\xfe \x00"
}

// shortAttack fits into the name of a file.
const shortAttack = "n\x1b]0;OWNED\a\x1b[77;66H\u009b66H\r\u202e\u200b\x1b]52;c;T1dORUQ=\a"

// ours are the sequences that Pawl writes, whole, and what for. Whatever else reaches
// a terminal is not Pawl's.
var ours = []struct {
	why     string
	pattern *regexp.Regexp
}{
	{"colours and weights, never concealed", regexp.MustCompile(`^\x1b\[(|[0-79][0-9;:]*)m$`)},
	{"the cursor, within a screen of 200×60", regexp.MustCompile(`^\x1b\[(([1-5]?[0-9])?(;1?[0-9]{1,2})?H|[1-5]?[0-9]?[ABd]|1?[0-9]{0,2}[CDG\x60])$`)},
	{"erase, insert, delete, scroll", regexp.MustCompile(`^\x1b\[([012]?[JK]|1?[0-9]{0,2}X|[1-5]?[0-9]?[LMPST@]|1?[0-9]{0,2}b|([1-5]?[0-9];[1-5]?[0-9])?r)$`)},
	{"line up, at the top of what scrolls", regexp.MustCompile(`^\x1bM$`)},
	{"the alternate screen, paste, mouse, focus, whole frames, graphemes, dark and light, cursor seen", regexp.MustCompile(`^\x1b\[\?(1049|2004|1002|1006|1004|2026|2027|2031|25)[hl]$`)},
	{"no wrap while the last cell of a line is drawn, no mouse, tabs every eight cells", regexp.MustCompile(`^\x1b\[\?(7[hl]|1003l|5W)$`)},
	{"whether the terminal knows those modes", regexp.MustCompile(`^\x1b\[\?(2026|2027|2031)\$p$`)},
	{"is it dark or light", regexp.MustCompile(`^\x1b(\[\?996n|\]11;\?(\a|\x1b\\))$`)},
	{"the keyboard protocols", regexp.MustCompile(`^\x1b\[(>[0-9]+u|<[0-9]*u|=[0-9;]+u|\?u|>4(;[0-9])?m)$`)},
	{"the cursor's form", regexp.MustCompile(`^\x1b\[[0-6] q$`)},
	{"the window's title", regexp.MustCompile(`^\x1b\]2;[^\x00-\x1f\x7f]*(\a|\x1b\\)$`)},
	{"links to the web and to files of the folder", regexp.MustCompile(`^\x1b\]8;;((https?|file)://[!-~]+)?(\a|\x1b\\)$`)},
	{"the progress bar", regexp.MustCompile(`^\x1b\]9;4;([0-4];?(0|100)?)(\a|\x1b\\)$`)},
	{"a call, while nobody looks", regexp.MustCompile(`^\x1b\]777;notify;Pawl;[^\x00-\x1f\x7f;]*\x1b\\$`)},
	{"what somebody copied", regexp.MustCompile(`^\x1b\]52;c;[A-Za-z0-9+/=]*\a$`)},
	{"does it know colours", regexp.MustCompile(`^\x1bP\+q[0-9a-f;]+\x1b\\$`)},
	{"lines", regexp.MustCompile(`^[\r\n]$`)},
	{"the renderer's way back, and tabs over blank cells", regexp.MustCompile(`^[\x08\t]$`)},
}

// strange lists what of some output is neither text nor a sequence of Pawl's.
func strange(output string) (list []string) {
	var state byte
	for rest := output; rest != ""; {
		seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		if width > 0 || seq[0] >= 0xa0 {
			unseen := func(r rune) bool { return !unicode.IsPrint(r) }
			if !utf8.ValidString(seq) || strings.ContainsFunc(seq, unseen) || utf8.RuneCountInString(seq) > 1+8 {
				list = append(list, fmt.Sprintf("character %+q", seq))
			}
			continue
		}
		known := false
		for _, one := range ours {
			known = known || one.pattern.MatchString(seq)
		}
		if !known {
			list = append(list, fmt.Sprintf("%+q", seq))
		}
	}
	return list
}

// requireOurs holds all output against the list, and what it says against the
// attacks.
func requireOurs(t testing.TB, output string) {
	t.Helper()
	require.Empty(t, strange(output), "this reached the terminal")
	require.NotContains(t, output, "\x1b]52;c;T1dORUQ", "a text of others is on the clipboard")
}

// witness is what an emulator was made to do beside drawing.
type witness struct {
	sync.Mutex
	titles, strange []string
}

// watchSequences sets a witness before the emulator; whatever came before is not seen.
func watchSequences(x *harness.Terminal) *witness {
	w := &witness{}
	did := func(what string) {
		w.Lock()
		defer w.Unlock()
		w.strange = append(w.strange, what)
	}
	callbacks := vt.Callbacks{
		Title:            func(title string) { w.Lock(); defer w.Unlock(); w.titles = append(w.titles, title) },
		IconName:         func(name string) { did("icon " + name) },
		Bell:             func() { did("bell") },
		WorkingDirectory: func(dir string) { did("folder " + dir) },
		CursorColor:      func(color.Color) { did("colour of the cursor") },
		ForegroundColor:  func(color.Color) { did("colour of text") },
		BackgroundColor:  func(color.Color) { did("colour of the ground") },
		EnableMode:       func(mode ansi.Mode) { w.mode(did, mode, "h") },
		DisableMode:      func(mode ansi.Mode) { w.mode(did, mode, "l") },
	}
	x.WithEmulator(func(e *vt.Emulator) { e.SetCallbacks(callbacks) })
	return w
}

func (w *witness) mode(did func(string), mode ansi.Mode, how string) {
	switch mode.Mode() {
	case 7, 25, 1003, 2026, 1049, 2004, 1002, 1006, 1004, 2027, 2031:
	default:
		did(fmt.Sprintf("mode %d%s", mode.Mode(), how))
	}
}

// saw gives the titles and what else there was.
func (w *witness) saw() (titles, strange []string) {
	w.Lock()
	defer w.Unlock()
	return w.titles, w.strange
}

func TestEveryAttackIsKnownAsOne(t *testing.T) {
	for name, text := range attacks {
		require.NotEmpty(t, strange(text), name)
	}
	require.Empty(t, strange("plain 漢字 e\u0301 👩\n\x1b[1;38;5;12mx\x1b[m\x1b[?2026h\x1b]2;pawl ~/x\a"))
}
