package stories

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// keysOfServers are what each server takes, none of another's.
var keysOfServers = map[string]string{
	"first": "key-0123456789-of-first", "second": "key-0123456789-of-second", "third": "key-0123456789-of-third", "fourth": "key-0123456789-of-fourth",
}

// Two chat servers and two Responses servers side by side in one session: the parent asks one,
// a subagent of a type of its own each of the others, one of them in a process of its own. Their
// keys come from a variable, a command and pawl login.
func TestSeveralServersOfOneKindServeOneSessionEachWithItsOwnKey(t *testing.T) {
	t.Parallel()
	child := func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("Looked.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "env; cat " + os.DevNull}))
	}
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	parent := func(h modeltest.Request) modeltest.Reply {
		if h.Answered("agent") {
			return modeltest.Say("All three have looked.")
		}
		var calls []modeltest.Call
		for _, kind := range []string{"second", "third", "fourth"} {
			calls = append(calls, modeltest.Use("agent", modeltest.Object{"description": "a look by " + kind, "prompt": "look", "subagent_type": "by-" + kind}))
		}
		return modeltest.Do(calls...)
	}
	servers := map[string]*modeltest.Server{"first": modeltest.Listen(t, parent)}
	for _, name := range []string{"second", "third", "fourth"} {
		servers[name] = modeltest.Listen(t, child)
		isolation := ""
		if name == "fourth" {
			isolation = "\nisolation: process"
		}
		typed(t, s, "by-"+name+".md", "name: by-"+name+"\ndescription: asks "+name+"\nmodel: "+name+"/m-of-"+name+isolation)
	}
	for name, server := range servers {
		server.Takes(keysOfServers[name])
	}
	safe := filepath.Join(t.TempDir(), "safe")
	require.NoError(t, os.WriteFile(safe, []byte(keysOfServers["fourth"]), 0o600))
	s.Configured(t, fmt.Sprintf(`
model = "first/m-of-first"
[permissions]
allow = ["shell(env)", "shell(cat *)"]
[providers.first]
kind = "chat"
base_url = "%s/v1"
key_env = "TEAM_ACCESS"
headers = {X-Team = "${TEAM_NAME:-none}"}
[providers.second]
kind = "chat"
base_url = "%s/v1"
key_command = ["sh", "-c", "echo key-0123456789-of-second; for i in 2 3 4 5 6 7 8 9 10; do echo line $i; done"]
[providers.third]
kind = "openai"
base_url = "%s/v1"
[providers.fourth]
kind = "openai"
base_url = "%s/v1"
key_command = ["cat", "%s"]
[models."first/*"]
context = 100000
`, servers["first"].URL, servers["second"].URL, servers["third"].URL, servers["fourth"].URL, safe))
	s.With("TEAM_ACCESS="+keysOfServers["first"], "OPENAI_API_KEY=", "ANTHROPIC_API_KEY=", "GEMINI_API_KEY=")
	out, errs, code := harness.RunWith(t, keysOfServers["third"]+"\n", s.Dir, s.Env, "login", "third")
	require.Zero(t, code, errs)
	require.Contains(t, out, "The key of third is kept in the file "+filepath.Join(s.Home, "data", "keys.json")+" (it answers, with 3 models).")

	out, errs, code = harness.Run(t, s.Dir, s.Env, "-p", "--trust", "--output-format", "json", "have all look")
	require.Zero(t, code, errs)
	require.Contains(t, out, "All three have looked.")
	for name, server := range servers {
		keys := server.Keys()
		require.NotEmpty(t, keys, name)
		for _, key := range keys {
			require.Equal(t, keysOfServers[name], key, "%s is shown its own key alone", name)
		}
		h := server.Await(t, func(modeltest.Request) bool { return true })
		require.Equal(t, "m-of-"+name, h.Model)
	}
	require.Equal(t, "openai", servers["fourth"].Await(t, func(modeltest.Request) bool { return true }).Protocol)
	for _, name := range []string{"second", "third"} {
		told := servers[name].Await(t, func(h modeltest.Request) bool { return h.Answered("shell") }).ResultsOf("shell")[0]
		require.Contains(t, told, "PAWL_RUN=", "it was the environment")
		require.NotContains(t, told, "TEAM_ACCESS", "the variable of a key is no command's")
		for _, key := range []string{keysOfServers["first"], keysOfServers["second"], keysOfServers["third"]} {
			require.NotContains(t, told, key)
		}
	}
	text := exportOf(t, s, "")
	require.Contains(t, text, `"third/m-of-third"`)
	for name, key := range keysOfServers {
		require.NotContains(t, text, key, "the export has the key of %s", name)
		require.NotContains(t, out+errs, key)
	}

	listed, errs, code := harness.Run(t, s.Dir, s.Env, "models", "--json")
	require.Zero(t, code, errs)
	var catalog struct {
		Models []struct {
			Model, Provider string
			Context         int
			Prices          any
		}
		WithoutKey []struct{ Provider, Do string } `json:"without_key"`
	}
	require.NoError(t, json.Unmarshal([]byte(listed), &catalog))
	asked := map[string]bool{}
	for _, m := range catalog.Models {
		asked[m.Provider] = true
		if m.Model == "first/gpt-5.5" {
			require.Equal(t, 100000, m.Context)
			require.Nil(t, m.Prices, "nobody knows what this server asks for it")
		}
	}
	require.Equal(t, map[string]bool{"first": true, "second": true, "third": true, "fourth": true, "demo": true}, asked)
	require.Contains(t, catalog.WithoutKey, struct{ Provider, Do string }{"anthropic", "set ANTHROPIC_API_KEY, or run pawl login anthropic"})

	_, d := examined(t, s, 0)
	for name, from := range map[string]string{"first": "TEAM_ACCESS", "second": "its key_command (sh)", "third": "pawl login", "fourth": "its key_command (cat)"} {
		found := d.finding(t, "Models", name)
		require.Contains(t, found.Says, "it answers, with 3 models", name)
		require.Contains(t, found.More[0], servers[name].URL+"/v1; key: "+from)
	}
}

func TestALoginIsTriedKeptListedAndForgotten(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") }).With("ANTHROPIC_API_KEY=")
	_, errs, code := harness.RunWith(t, "sk-of-somebody-else", s.Dir, s.Env, "login", "anthropic")
	require.Equal(t, 1, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "anthropic refuses this key, so it is not kept")
	require.NotContains(t, errs, "somebody")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "-p", "are you there?", "--model", "anthropic/x")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "run pawl login anthropic")

	x := harness.StartSized(t, 100, 24, s.Dir, s.Env, "login", "anthropic")
	x.See("The key of anthropic (it is not shown):")
	x.Type(modeltest.Key, harness.KeyEnter)
	x.See("The key of anthropic is kept in the file")
	require.NotContains(t, x.Screen(), modeltest.Key)
	require.Zero(t, x.Wait())
	info, err := os.Stat(filepath.Join(s.Home, "data", "keys.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	out, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "are you there?", "--model", "anthropic/claude-loopback-1")
	require.Zero(t, code, errs)
	require.Equal(t, "Here I am.\n", out)

	out, errs, code = harness.Run(t, s.Dir, s.Env, "login")
	require.Zero(t, code, errs)
	require.Regexp(t, `(?m)^anthropic +anthropic +the address in ANTHROPIC_BASE_URL +pawl login$`, out)
	require.Regexp(t, `(?m)^gemini +gemini .* GEMINI_API_KEY$`, out)
	require.Regexp(t, `(?m)^ollama +ollama .*none: set OLLAMA_HOST$`, out)
	require.NotContains(t, out, modeltest.Key)
	_, errs, code = harness.RunWith(t, "sk-another-0001", s.Dir, s.Env, "login", "gemini", "--force")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "GEMINI_API_KEY goes before it")

	out, errs, code = harness.Run(t, s.Dir, s.Env, "logout", "anthropic")
	require.Zero(t, code, errs)
	require.Equal(t, "The key of anthropic is forgotten.\n", out)
	for _, row := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"logout", "anthropic"}, "no key of anthropic is kept", 1},
		{[]string{"logout", "antropic"}, `did you mean "anthropic"?`, 2},
		{[]string{"login", "nobody"}, `there is no provider "nobody"`, 2},
		{[]string{"login", "ollama"}, "ollama takes no key: set OLLAMA_HOST", 2},
		{[]string{"login", "anthropic"}, "no key was given", 1},
		{[]string{"login", "anthropic", "sk-secret-on-the-line"}, "a key is no argument", 2},
	} {
		_, errs, code := harness.Run(t, s.Dir, s.Env, row.args...)
		require.Equal(t, row.code, code, row.args)
		require.Contains(t, errs, row.says)
		require.NotContains(t, errs, "secret-on-the-line")
		harness.RequireOneLine(t, errs)
	}
}

// Ctrl+C while a key is typed leaves a terminal that shows what is typed.
func TestALoginThatIsBrokenOffLeavesTheTerminalInOrder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	x := harness.StartSized(t, 100, 24, s.Dir, s.Env, "login", "anthropic")
	x.See("The key of anthropic (it is not shown):")
	x.Type("sk-half", harness.KeyCtrlC)
	require.Equal(t, 130, x.Wait())
	require.NoFileExists(t, filepath.Join(s.Home, "data", "keys.json"))
}

func TestAKeyCommandThatGivesNoKeyIsOneLineThatSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ command, says string }{
		"hangs":          {`["sleep", "600"]`, "the key_command of router did not end within 10s: run sleep yourself to see what it waits for"},
		"leaves another": {`["sh", "-c", "echo; sleep 600 &"]`, "the key_command of router printed no key on its first line: run sh yourself"},
		"prints nothing": {`["true"]`, "the key_command of router printed no key on its first line: run true yourself"},
		"fails":          {`["sh", "-c", "echo the vault is sealed >&2; exit 3"]`, "the key_command of router failed: exit code 3: the vault is sealed; run sh yourself"},
		"is not there":   {`["no-such-program-here"]`, "the key_command of router failed: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
			s.Configured(t, "[providers.router]\nkind = \"chat\"\nbase_url = \""+s.Server.URL+"/v1\"\nkey_command = "+row.command)
			_, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "hello", "--model", "router/m")
			require.Equal(t, 1, code, errs)
			require.Contains(t, errs, row.says)
			require.Equal(t, 1, strings.Count(errs, "key_command"), errs)
			require.Empty(t, s.Server.Keys(), "the server was not asked")
		})
	}
}

// A token that ends is asked for again, once, and the run goes on.
func TestATokenThatHasEndedIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Responses(), func(h modeltest.Request) modeltest.Reply {
		return modeltest.Say("Still here.")
	})
	count := filepath.Join(s.Home, "count")
	s.Configured(t, `
[providers.router]
kind = "openai"
base_url = "`+s.Server.URL+`/v1"
key_command = ["sh", "-c", "echo x >> `+count+`; echo token-$(wc -l < `+count+` | tr -d ' ')-0123456789"]
`)
	s.Server.Takes("token-2-0123456789")
	out, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "hello", "--model", "router/m")
	require.Zero(t, code, errs)
	require.Equal(t, "Still here.\n", out)
	require.Equal(t, []string{"token-1-0123456789", "token-2-0123456789"}, s.Server.Keys())
}
