package stories

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask/masktest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// envSecret has the shape of no maker: it is known by its variable's name alone.
const envSecret = "Tr0ub4dor-and-3"

// wildSecrets are texts with secrets in them as they are found in the wild, a line
// each, and what of them must be seen nowhere.
func wildSecrets(t *testing.T) (text string, secrets []string) {
	t.Helper()
	var b strings.Builder
	for name, p := range masktest.Planted(t) {
		if name == "cut private key" || strings.HasPrefix(name, "literal") { // one hides all below it; the others are shapeless
			continue
		}
		whole := string(p.Secret)
		b.WriteString(p.With(whole) + "\n")
		if name == "private key" {
			whole = "MIIEow"
		}
		secrets = append(secrets, whole)
	}
	require.Greater(t, len(secrets), 30)
	return b.String(), append(secrets, modeltest.Key, envSecret)
}

// requireNone fails where a text holds one of the secrets.
func requireNone(t testing.TB, secrets []string, what, text string) {
	t.Helper()
	for _, secret := range secrets {
		require.NotContains(t, text, secret, what)
	}
}

// leaking is a model that reads the secrets, tells them, and fails over them.
func leaking(leak string) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("and fail"):
			return modeltest.Fault(400, "your key "+modeltest.Key+" is bad: Authorization: Bearer opaque-token-1; "+leak)
		case h.Asked("and tell"):
			return modeltest.Say(leak + modeltest.Key + " " + envSecret)
		case h.Child("look"):
			return modeltest.Say("Seen: " + leak)
		case len(h.Notices()) > 0:
			return modeltest.Say("It has looked.")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Launch("a look at "+modeltest.Key+" and ghp_"+"0123456789abcdefghijABCDEFGHIJ012345", "look"))
		case h.Answered("agent"):
			return modeltest.Say("It looks.")
		}
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "secrets.txt"}), modeltest.Use("shell", modeltest.Object{"command": "cat secrets.txt; seq 1 8000; cat line"}))
	}
}

// withoutUmask is Pawl as somebody starts it whose new files are everybody's.
func withoutUmask(t *testing.T, s *harness.Stage, args ...string) *exec.Cmd {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	cmd := exec.Command("sh", append([]string{"-c", `umask 000; exec "$0" "$@"`, path}, s.Flags(args...)...)...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	return cmd
}

// requirePrivate walks a folder: nothing in it may be anybody else's to read.
func requirePrivate(t *testing.T, folder string) (files []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		if path != folder { // which the user has made
			require.Zero(t, info.Mode().Perm()&0o077, "%s has the mode %s", path, info.Mode())
		}
		if !entry.IsDir() {
			files = append(files, path)
		}
		return nil
	}))
	return files
}

func TestWhatPawlWritesIsTheUsersAloneAndTellsNoSecret(t *testing.T) {
	t.Parallel()
	text, secrets := wildSecrets(t)
	s := harness.NewStage(t, modeltest.Chat(), leaking(text)).With("GITHUB_TOKEN="+envSecret, "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.3.0")
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "secrets.txt"), []byte(text+"token: "+envSecret+"\n"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.Dir, "line"), 0o600))
	withOwnServers(t, s, `[mcp.disk]
command = ["sh", "-c", "echo the key `+modeltest.Key+` is wrong >&2; exit 1"]
`)
	for _, folder := range []string{"data", "state"} { // as if they had been copied
		require.NoError(t, os.Mkdir(filepath.Join(s.Home, folder), 0o755))
		require.NoError(t, os.Chmod(filepath.Join(s.Home, folder), 0o777))
	}
	x := harness.StartCommand(t, 120, 40, withoutUmask(t, s, "--permission-mode", "bypass"))
	x.Ready()
	x.Prompt("read it")
	x.See("cat line")
	var line *os.File
	var err error
	require.Eventually(t, func() bool { // once the command reads it
		line, err = os.OpenFile(filepath.Join(s.Dir, "line"), os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	}, modeltest.Patience, 10*time.Millisecond, "nobody reads the line")
	requireNoneInCommands(t, secrets)
	x.Type("\x1b[O")
	require.NoError(t, line.Close())
	x.See("It has looked.")
	x.Rest()
	x.WaitFor("a call", func(string) bool { return strings.Contains(x.Raw(), "\x1b]777;notify;Pawl;") })
	x.Type("\x1b[I", harness.KeyCtrlS)
	x.See("exported to")
	x.Type("not sent yet")
	x.See("not sent yet")
	require.Equal(t, 0, x.Quit())
	s.AwaitNoHost(t) // which removes some of what is looked at below
	for _, told := range regexp.MustCompile(`\x1b\](?:0|2|9|777);[^\a\x1b]*`).FindAllString(x.Raw(), -1) {
		requireNone(t, secrets, "outside of the screen", told)
	}

	files := requirePrivate(t, s.Home)
	kept := slices.IndexFunc(files, func(file string) bool { return strings.Contains(file, "/outputs/") })
	require.GreaterOrEqual(t, kept, 0, "a long output was kept")
	output, err := os.ReadFile(files[kept])
	require.NoError(t, err)
	require.Contains(t, string(output), envSecret, "the secrets were there")
	require.Contains(t, strings.Join(files, " "), "pawl.log")
	written, err := filepath.Glob(filepath.Join(s.Exports(), "*.md"))
	require.NoError(t, err)
	require.Len(t, written, 1)
	info, err := os.Stat(written[0])
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	for _, file := range append(files, written...) {
		base := filepath.Base(file)
		if strings.HasPrefix(base, "pawl.db") || strings.Contains(file, "/outputs/") || base == "config.toml" {
			continue // what was said and read stands there as it was
		}
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		requireNone(t, secrets, file, string(kept))
	}
	requireNoCommandTells(t, s, secrets)
}

// requireNoneInCommands looks at the command lines of all processes there are, where
// the system shows them.
func requireNoneInCommands(t *testing.T, secrets []string) {
	t.Helper()
	lists, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, list := range lists {
		command, _ := os.ReadFile(list)                       // it may be gone
		if !bytes.Contains(command, []byte("is wrong >&2")) { // the user's own setting
			requireNone(t, secrets, list, string(command))
		}
	}
}

// requireNoCommandTells looks at what is printed, about the last session and of new
// prompts.
func requireNoCommandTells(t *testing.T, s *harness.Stage, secrets []string) {
	t.Helper()
	list, _, _ := harness.Run(t, s.Dir, s.Env, "sessions")
	session := strings.Fields(list)[0]
	commands := [][]string{
		{"doctor", "--json"}, s.Flags("-p", "and fail"), s.Flags("--output-format", "json", "-p", "and tell"),
	}
	for _, format := range []string{"md", "html", "json", "trace"} {
		commands = append(commands, []string{"export", session, "--format", format, "-o", "-"})
	}
	for _, args := range commands {
		out, errs, _ := harness.Run(t, s.Dir, s.Env, args...)
		requireNone(t, secrets, strings.Join(args, " "), out+errs)
		if args[0] != "doctor" { // which had nothing to hide
			require.Contains(t, out+errs, "[masked]", args)
		}
	}
}
