package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/process"
)

func TestShell(t *testing.T) {
	w := plant(t, "-- a.txt --\nx\n")
	result := done(t, Shell(w, &process.Launcher{}, nil), args{"command": "ls; echo problem >&2", "timeout_ms": nil})
	require.Equal(t, "a.txt\nproblem\n[exit code 0]", result.Text)
	require.Equal(t, agent.CommandView{Command: "ls; echo problem >&2", Output: "a.txt\nproblem\n"}, result.View)
}

func TestShellFailure(t *testing.T) {
	result := use(t, Shell(plant(t, ""), &process.Launcher{}, nil), args{"command": "exit 7"})
	require.True(t, result.IsError)
	require.Equal(t, "(no output)\n[exit code 7]", result.Text)
	require.Equal(t, agent.CommandView{Command: "exit 7", ExitCode: 7}, result.View)
}

func TestShellIsBash(t *testing.T) {
	w := plant(t, "")
	require.Equal(t, "b\n[exit code 0]", done(t, Shell(w, &process.Launcher{}, nil), args{"command": `a=(a b); [[ ${a[1]} == b ]] && echo "${a[1]}"`}).Text)
}

func TestShellKeepsHeadAndTail(t *testing.T) {
	w := plant(t, "")
	result := done(t, Shell(w, &process.Launcher{}, nil), args{"command": "echo START; for i in {1..20000}; do echo line $i; done; echo END"})
	require.Less(t, len(result.Text), 30_200)
	require.True(t, strings.HasPrefix(result.Text, "START\nline 1\n"))
	require.True(t, strings.HasSuffix(result.Text, "line 20000\nEND\n[exit code 0]"))
	require.Regexp(t, `\[… \d+ of 208904 bytes of output are left out here …\]`, result.Text)
	require.Equal(t, "output cut", result.View.(agent.CommandView).Note)
}

func TestShellTimeLimit(t *testing.T) {
	limit, view := 150*time.Millisecond, agent.CommandView{}
	var result agent.Result
	for view.Output == "" || view.ExitCode < 0 { // a slow machine only starts it by then, or its end is not seen
		limit *= 2
		result = use(t, Shell(plant(t, ""), &process.Launcher{}, nil), args{"command": "echo so far; sleep 1000", "timeout_ms": limit.Milliseconds()})
		view = result.View.(agent.CommandView)
	}
	require.True(t, result.IsError)
	require.Equal(t, fmt.Sprintf("so far\n[stopped: the time limit of %v passed. Give more with timeout_ms (at most 600000), or do it in smaller parts]", limit), result.Text)
	require.Equal(t, fmt.Sprintf("stopped after %v", limit), view.Note)
}

func TestShellCanceledGivesTheOutputSoFar(t *testing.T) {
	var result agent.Result
	var reports []string
	for view := (agent.CommandView{ExitCode: -1}); view.ExitCode < 0; { // a slow machine may not see its end
		ctx, cancel := context.WithCancel(t.Context())
		reports = nil
		result = Shell(plant(t, ""), &process.Launcher{}, nil).Run(ctx, agent.Invocation{
			Input: json.RawMessage(`{"command": "echo so far; sleep 1000", "description": "waiting for nothing"}`),
			Progress: func(activity string) {
				if reports = append(reports, activity); activity == "so far" {
					cancel()
				}
			},
		})
		cancel()
		view = result.View.(agent.CommandView)
	}
	require.True(t, result.IsError)
	require.Equal(t, "so far\n[stopped before it was done; this is the output so far]", result.Text)
	require.Equal(t, agent.CommandView{Command: "echo so far; sleep 1000", Output: "so far\n", ExitCode: 143, Note: "stopped"}, result.View)
	require.Equal(t, []string{"waiting for nothing", "so far"}, reports)
}

func TestShellSaysWhatItEnded(t *testing.T) {
	result := done(t, Shell(plant(t, ""), &process.Launcher{}, nil), args{"command": "sleep 1000 & echo up"})
	require.Equal(t, "up\n[exit code 0; 1 process that it left running was ended with it]", result.Text)
}

func TestShellOutputIsValidText(t *testing.T) {
	w := plant(t, "")
	require.Equal(t, "a\uFFFDb\x1b[31m\n[exit code 0]", done(t, Shell(w, &process.Launcher{}, nil), args{"command": `printf 'a\xffb\x1b[31m\n'`}).Text)
	done(t, Shell(w, &process.Launcher{}, nil), args{"command": "head -c 300000 /dev/urandom"})
}

func TestShellEffect(t *testing.T) {
	shell := Shell(plant(t, ""), &process.Launcher{}, nil)
	effect, err := shell.Effect(t.Context(), call(t, args{"command": "rm -rf x\nls"}))
	require.NoError(t, err)
	require.Equal(t, agent.Effect{Kind: agent.EffectShell, Subject: "rm -rf x\nls", View: agent.CommandView{Command: "rm -rf x\nls"}}, effect)
	_, err = shell.Effect(t.Context(), call(t, args{"command": " "}))
	require.ErrorContains(t, err, "command is blank")
	require.Contains(t, refused(t, shell, args{"command": strings.Repeat("x", shellCommand)}), "write it to a file and run that")
	require.Contains(t, refused(t, shell, args{"command": "a\x00b"}), "NUL")
}

func TestTheShellTellsTheModelWhatTheSandboxStopped(t *testing.T) {
	result := shellResult(shellInput{Command: "echo bad > /x"}, process.Finished{ExitCode: 1, Sandboxed: "the sandbox stopped it"}, nil)
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "[exit code 1; the sandbox stopped it]")
	require.Equal(t, "the sandbox may be why", result.View.(agent.CommandView).Note, "for people")
}
