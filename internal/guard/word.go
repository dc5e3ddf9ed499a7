package guard

import (
	"strconv"
	"strings"
)

// What Pawl says to its guard over the line, a byte each.
const (
	// Session says that a session is open: there is something to go on with.
	Session = 's'
	// Screen says that the terminal is about to show the screen.
	Screen = 't'
	// Bar says that the terminal has a progress bar, which the screen uses.
	Bar = 'b'
	// InOrder is the last word of a Pawl that has put everything right itself.
	InOrder = 'o'
	// Meant is the last word of one that was told to leave at once: the terminal
	// is to be put right, and nobody has to be told why.
	Meant = 'm'

	crash = 'c' // crashNotice
)

// crashNotice says where a trace of Pawl's would be written, and how long that file
// is now.
func crashNotice(path string, size int64) string {
	return string(rune(crash)) + strconv.FormatInt(size, 10) + " " + path + "\x00"
}

// account is all that Pawl has said.
type account struct {
	session, screen, bar, inOrder, meant bool
	crash                                string // path of the crash file
	crashSize                            int64  // how long it was at the start
}

func readAccount(words string) (a account) {
	for words != "" {
		word := words[0]
		words = words[1:]
		switch word {
		case Session:
			a.session = true
		case Screen:
			a.screen = true
		case Bar:
			a.bar = true
		case InOrder:
			a.inOrder = true
		case Meant:
			a.meant = true
		case crash:
			var told string
			told, words, _ = strings.Cut(words, "\x00")
			size, path, _ := strings.Cut(told, " ")
			a.crash = path
			a.crashSize, _ = strconv.ParseInt(size, 10, 64) // Pawl wrote it
		}
	}
	return a
}
