package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEmulatorIsKnownByItsVariables(t *testing.T) {
	for env, want := range map[string]emulator{
		"TERM=xterm-256color": {},
		"TERM=xterm-ghostty TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.2.0":    {bar: true, tell: urxvt},
		"TERM=xterm-ghostty TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=1.1.3":    {tell: urxvt},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.6.6":                     {bar: true, tell: growl},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.5.14":                    {tell: growl},
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.10":                      {bar: true, tell: growl},
		"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20240203-110809-5046fc22":    {tell: urxvt},
		"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20250730-000000-aaaaaaaa":    {bar: true, tell: urxvt},
		"TERM=xterm-kitty KITTY_WINDOW_ID=1":                                    {tell: kittyTold},
		"TERM=foot":                                                             {tell: urxvt},
		"TERM=xterm-256color VTE_VERSION=8002":                                  {bar: true},
		"TERM=xterm-256color VTE_VERSION=7600":                                  {},
		"TERM=xterm-256color WT_SESSION=b2":                                     {bar: true},
		"TERM=tmux-256color TMUX=/tmp/t TERM_PROGRAM=tmux WT_SESSION=b2":        {},
		"TERM=screen STY=1.x TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.7.0": {},
		"TERM_PROGRAM=ghostty TERM_PROGRAM_VERSION=tip":                         {tell: urxvt},
	} {
		require.Equal(t, want, readEmulator(strings.Fields(env)), env)
	}
}
