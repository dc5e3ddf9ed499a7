package guard

import (
	"strconv"
	"strings"
)

// What Pawl tells its guard over the line, one byte each.
const (
	// Session says that a session is open, which can be continued.
	Session = 's'
	// InOrder is the last word of a Pawl that ends in order.
	InOrder = 'o'
	// Meant is the last word of a Pawl that was told to end at once: nobody needs to be told why.
	Meant = 'm'

	crash = 'c' // crashNotice
)

// crashNotice tells the guard the path of the crash file and its current length in bytes.
func crashNotice(path string, size int64) string {
	return string(rune(crash)) + strconv.FormatInt(size, 10) + " " + path + "\x00"
}

// pawlState is all that Pawl has told.
type pawlState struct {
	session, inOrder, meant bool
	crash                   string // the path of the crash file
	crashSize               int64  // its length at the start, in bytes
}

func parseState(words string) (a pawlState) {
	for words != "" {
		word := words[0]
		words = words[1:]
		switch word {
		case Session:
			a.session = true
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
