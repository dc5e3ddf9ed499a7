//go:build unix

package harness

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Opened says that Pawl has the alternate screen.
func (x *Terminal) Opened() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screens.IsAltScreen()
}

// WithEmulator gives the emulator to somebody, while nothing is drawn.
func (x *Terminal) WithEmulator(look func(*vt.Emulator)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	look(x.screens)
}

// Screen is what a person sees now, lines without trailing spaces.
func (x *Terminal) Screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.draw()
}

func (x *Terminal) draw() string {
	lines := strings.Split(x.screens.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \r")
	}
	return strings.Join(lines, "\n")
}

// Raw is all that Pawl has written.
func (x *Terminal) Raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.output)
}

// WaitFor waits until the screen satisfies ok. It looks again after every piece of
// output, and gives up early when Pawl has ended.
func (x *Terminal) WaitFor(what string, ok func(screen string) bool) {
	x.T.Helper()
	deadline := time.After(modeltest.Patience)
	for {
		x.mu.Lock()
		screen, changed := x.draw(), x.changed
		x.mu.Unlock()
		if ok(screen) {
			return
		}
		select {
		case <-changed:
		case <-x.quiet:
			if !ok(x.Screen()) {
				require.FailNow(x.T, "pawl ended before the screen had "+what)
			}
			return
		case <-deadline:
			require.FailNow(x.T, "the screen never had "+what, "it had\n%s", framed(x.Screen())) // the last one may be the shell's
		}
	}
}

// staysAfter waits for the end of Pawl after a key that these words on the screen ask for. It reports
// whether the key must be pressed again: the words hold for two seconds, and on a slow machine the key may
// have come later. The question about a parent that was not told yet is answered with yes.
func (x *Terminal) staysAfter(words string) bool {
	x.T.Helper()
	deadline, looks := time.After(modeltest.Patience), time.NewTicker(time.Second)
	defer looks.Stop()
	for gone := (time.Time{}); ; {
		x.mu.Lock()
		screen, changed, opened := x.draw(), x.changed, x.screens.IsAltScreen()
		x.mu.Unlock()
		shown := strings.Contains(screen, words)
		switch {
		case strings.Contains(screen, "Quit before the main agent is told"):
			x.Type("x")
			return false
		case !gone.IsZero() && (shown || opened && time.Since(gone) > 3*time.Second):
			return true
		case !shown && gone.IsZero():
			gone = time.Now()
		}
		select {
		case <-changed:
		case <-looks.C:
		case <-x.exited:
			return false
		case <-deadline:
			return false // who waits for the end says that it does not come
		}
	}
}

// See waits until all these texts are on the screen at once.
func (x *Terminal) See(texts ...string) {
	x.T.Helper()
	x.WaitFor(fmt.Sprintf("%q", texts), func(screen string) bool { return ContainsAll(screen, texts...) })
}

// SeeNot waits until a text is no longer on the screen.
func (x *Terminal) SeeNot(text string) {
	x.T.Helper()
	x.WaitFor("no "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// SeeMatch waits until a pattern is on the screen, and gives what it matched.
func (x *Terminal) SeeMatch(pattern string) []string {
	x.T.Helper()
	var found []string
	expression := regexp.MustCompile(pattern)
	x.WaitFor(pattern, func(screen string) bool {
		found = expression.FindStringSubmatch(screen)
		return found != nil
	})
	return found
}

// framed sets a screen apart from the words around it.
func framed(screen string) string {
	return "┌\n│" + strings.ReplaceAll(strings.TrimRight(screen, " \n"), "\n", "\n│") + "\n└"
}

// SeeClipped waits until exactly this text was given to the terminal's clipboard.
func (x *Terminal) SeeClipped(text string) {
	x.T.Helper()
	sequence := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	x.WaitFor("on the clipboard: "+text, func(string) bool { return strings.Contains(x.Raw(), sequence) })
}

// SeeRaw waits until Pawl has written this.
func (x *Terminal) SeeRaw(text string) {
	x.T.Helper()
	x.WaitFor("written "+text, func(string) bool { return strings.Contains(x.Raw(), text) })
}

// InThisOrder waits until all these texts are on the screen, one after another.
func (x *Terminal) InThisOrder(texts ...string) {
	x.T.Helper()
	x.WaitFor(strings.Join(texts, ", then "), func(screen string) bool {
		for _, text := range texts {
			_, after, found := strings.Cut(screen, text)
			if !found {
				return false
			}
			screen = after
		}
		return true
	})
}

// Reaches waits until these texts are on the screen, and says whether Pawl lived to
// show them.
func (x *Terminal) Reaches(texts ...string) bool {
	x.T.Helper()
	return x.ComesTo(fmt.Sprintf("%q", texts), func(screen string) bool { return ContainsAll(screen, texts...) })
}

// ComesTo waits until the screen is as it should be, and says whether Pawl lived to show it.
func (x *Terminal) ComesTo(what string, there func(screen string) bool) bool {
	x.T.Helper()
	deadline := time.After(modeltest.Patience)
	for dead := false; ; {
		x.mu.Lock()
		screen, changed := x.draw(), x.changed
		x.mu.Unlock()
		if there(screen) {
			return true
		}
		if dead {
			return false
		}
		select {
		case <-changed:
		case <-x.exited:
			dead = true
		case <-deadline:
			require.FailNow(x.T, "the screen never had it", what)
		}
	}
}

// ContainsAll says that a text holds each of these.
func ContainsAll(text string, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
