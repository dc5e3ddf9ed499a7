package remote

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeathSaysHowInOneLine(t *testing.T) {
	stacks := "\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:3 +0x1d\nexit status 2\n"
	for want, death := range map[string]string{
		"its process was killed by SIGKILL (exit code 137)":                                              deathMessage(Exit{Code: 137}, nil),
		"its process ended before its work did, with exit code 7":                                        deathMessage(Exit{Code: 7}, nil),
		"its process ended before its work did, with exit code 2: panic: no hands":                       deathMessage(Exit{Code: 2, Said: "panic: no hands" + stacks}, nil),
		"its process ended before its work did, with exit code 2: fatal error: out of memory":            deathMessage(Exit{Code: 2, Said: "a line\nfatal error: out of memory" + stacks}, nil),
		"its process ended before its work did, with exit code 2: no threads · SIGABRT: abort":           deathMessage(Exit{Code: 2, Said: "noise\nno threads\nSIGABRT: abort\nPC=0x1" + stacks}, nil),
		"its process ended before its work did, with exit code 2: SIGQUIT: quit":                         deathMessage(Exit{Code: 2, Said: "noise\nSIGQUIT: quit\nPC=0x1" + stacks}, nil),
		"its process ended before its work did, with exit code 1: b · c · d":                             deathMessage(Exit{Code: 1, Said: "a\nb\n\nc\nd\n"}, nil),
		"its process ended before its work did, with exit code 1: fair ␛]0;evil␇title":                   deathMessage(Exit{Code: 1, Said: "fair \x1b]0;evil\x07title\n"}, nil),
		"its process sent a message of more than 64 MB, and was killed for it":                           deathMessage(Exit{Code: 143}, errTooLong),
		"its process sent an invalid message: EOF, and was killed for it: last":                          deathMessage(Exit{Code: 143, Said: "last"}, errors.New("an invalid message: EOF")),
		"its process ended before its work did, with exit code 1: … " + strings.Repeat("é", lastRunes):   deathMessage(Exit{Code: 1, Said: strings.Repeat("é", 5000)}, nil),
		"its process was killed by SIGSEGV (exit code 139): fatal error: unexpected signal [no symbols]": deathMessage(Exit{Code: 139, Said: "fatal error: unexpected signal [no symbols]" + stacks}, nil),
	} {
		require.Equal(t, want, death)
	}
}
