package permission

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARuleThatIsNoneOrCanNeverMatchIsAnErrorThatSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"shel(ls)":                "column 1: \"shel\" is not a kind of rule; did you mean \"shell\"?",
		"":                        "column 1",
		"Write(x)":                "column 1",
		"shell":                   "column 6: what it is about is missing: write shell(…)",
		"shell(ls":                "column 9: the closing bracket is missing",
		"shell()":                 "column 7: it is about nothing",
		"shell(a; b)":             "one simple command",
		"shell(a | b)":            "one simple command",
		"shell(a > b)":            "without redirections",
		"shell(A=1 b)":            "without redirections and assignments",
		"shell(a $B)":             "what the shell expands",
		"shell(a `b`)":            "what the shell expands",
		"shell(a [bc])":           "only * is a wildcard",
		"shell(a ?)":              "only * is a wildcard",
		"shell(a 'b)":             "one simple command",
		"shell(a\u200bb)":         "invisible",
		"edit(/etc/passwd)":       "relative to the folder",
		"edit(~/x)":               "relative to the folder",
		"edit(../x)":              "never holds ..",
		"edit(src/)":              "write src/**",
		"edit([)":                 "not a valid glob",
		"read(a/../b)":            "never holds ..",
		"fetch(go.dev)":           "fetch(host:go.dev)",
		"fetch(host:https://x)":   "a host alone",
		"fetch(host:go.dev/path)": "a host alone",
		"fetch(host:go.dev:80)":   "a host alone",
		"fetch(host:*dev)":        "a host alone",
		"mcp(server)":             "server__tool",
		"mcp(server tool)":        "server__tool",
	} {
		_, err := ParseRule(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestARuleThatCanAllowNothingIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"shell(sudo *)": "runs what its words say", "shell(env *)": "runs what its words say", "shell(xargs *)": "runs what its words say",
		"shell(sh -c *)": "runs what its words say", "shell(cd *)": "changes what comes after", "shell(export *)": "changes what comes after",
		"shell(python *)": "name the script", "shell(python -c *)": "name the script", "shell(sed *)": "write the whole command",
		"shell(docker *)": "name what it is to do", "shell(g* status)": "without *", "shell(* status)": "without *",
		"edit(.git/config)": "always asked about", "edit(.pawl/**)": "always asked about", "read(x)": "reading is free",
	} {
		var rule AllowRule
		require.ErrorContains(t, rule.UnmarshalText([]byte(text)), want, text)
		if text != "read(x)" {
			_, err := ParseRule(text)
			require.NoError(t, err, "to deny it is fine: %s", text)
		}
	}
	for _, text := range []string{"shell(sudo systemctl restart x)", "shell(python manage.py *)", "shell(docker compose ps *)", "shell(find *)", "shell(*)", "edit(**)", "fetch(*)", "mcp(*)"} {
		var rule AllowRule
		require.NoError(t, rule.UnmarshalText([]byte(text)), text)
	}
	var ask AskRule
	require.ErrorContains(t, ask.UnmarshalText([]byte("read(x)")), "never asked about")
}
