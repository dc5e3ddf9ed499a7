package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEmulatorIsKnownByItsVariables(t *testing.T) {
	for env, want := range map[string]Emulator{
		"TERM=xterm-256color": {},
		"TERM=xterm-ghostty TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.2.0":    {Bar: true, Dialect: Urxvt},
		"TERM=xterm-ghostty TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.1.3":    {Dialect: Urxvt},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.6.6":                     {Bar: true, Dialect: Growl},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.5.14":                    {Dialect: Growl},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.10":                      {Bar: true, Dialect: Growl},
		"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20240203-110809-5046fc22":    {Dialect: Urxvt},
		"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20250730-000000-aaaaaaaa":    {Bar: true, Dialect: Urxvt},
		"TERM=xterm-kitty KITTY_WINDOW_ID=1":                                    {Dialect: KittyTold},
		"TERM=foot":                                                             {Dialect: Urxvt},
		"TERM=xterm-256color VTE_VERSION=8002":                                  {Bar: true},
		"TERM=xterm-256color VTE_VERSION=7600":                                  {},
		"TERM=xterm-256color WT_SESSION=b2":                                     {Bar: true},
		"TERM=tmux-256color TMUX=/tmp/t TERM_PROGRAM=tmux WT_SESSION=b2":        {},
		"TERM=screen STY=1.x TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.7.0": {},
		"TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=tip":                         {Dialect: Urxvt},
	} {
		require.Equal(t, want, ReadEmulator(strings.Fields(env)), env)
	}
}
