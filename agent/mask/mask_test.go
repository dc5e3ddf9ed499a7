package mask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask/masktest"
)

func TestPlantedSecretsAreMasked(t *testing.T) {
	hide := New([]string{"correct horse battery", "short"})
	for name, c := range masktest.Planted(t) {
		t.Run(name, func(t *testing.T) {
			want := c.With(Masked)
			got := hide.Text(c.With(string(c.Secret)))
			require.Equal(t, want, got)
			require.Equal(t, want, hide.Text(got), "masking twice is masking once")
		})
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	hide := New([]string{"short"})
	for _, text := range []string{
		"a risk-assessment-of-everything", "task-completion-notification", "MAX_TOKENS=4096", "input_tokens: 1200",
		"token := scanner.Next()", "if key == other {", "API_KEY=$OTHER", "export KEY=${FILE}", "KEY=<your key>",
		"Authorization: required", "the bearer of bad news", "password: getPassword()", "basic understanding",
		"https://example.com/a?b=c", "short", "019f0a2b-7c1e-7abc-8def-0123456789ab", "primary key = id", "--token-limit 5",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "sk-", "git@github.com:a/b.git", "http://localhost:8080/@x",
		"da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"eyJust is a word", "the cookie: a small cake", "Cookie: none", "set-cookie: $COOKIE", "AGE-SECRET", "hf_model", "npm_config_cache=/tmp",
		"aws_secret_access_key: see the vault", "https://user@example.com/", "https://example.com:8443/a@b", "mailto:ada@example.com",
		"func key(token string) error", "secret: true", "password = os.Getenv(\"PASSWORD\")", "git log --token-free", "?code=200&sig=1", "ASIAN MARKETS", "glpat-", "task-force",
	} {
		require.Equal(t, text, hide.Text(text))
	}
}

// Wherever a stream is cut, no more of a secret comes through than the few
// letters that do not give it away.
func TestSecretsCutBetweenRecords(t *testing.T) {
	const literal = "correct-horse-battery"
	for name, c := range masktest.Planted(t) {
		if strings.HasPrefix(name, "literal") {
			c.Text, c.Secret = "it is SECRET!", literal
		}
		hidden := strings.TrimPrefix(strings.TrimPrefix(string(c.Secret), "github_pat_"), "AGE-SECRET-KEY-")
		if _, body, ok := strings.Cut(string(c.Secret), "KEY-----\n"); ok { // the line before is no secret
			hidden, _, _ = strings.Cut(body, "\n-----")
		}
		text := "before " + c.With(string(c.Secret)) + " after"
		t.Run(name, func(t *testing.T) {
			for at := range len(text) {
				requireHidden(t, hidden, literal, text[:at], text[at:])
			}
			for size := 1; size < 24; size += 5 {
				var cut []string
				for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
					cut = append(cut, rest[:min(size, len(rest))])
				}
				requireHidden(t, hidden, literal, cut...)
			}
		})
	}
}

func requireHidden(t *testing.T, hidden, literal string, cut ...string) {
	t.Helper()
	hide, s := New([]string{literal}), &Stream{}
	var out strings.Builder
	for _, piece := range cut {
		out.WriteString(s.Next(hide, piece))
	}
	shared := sharedRun(out.String(), hidden)
	require.LessOrEqual(t, len(shared), 8, "%q comes through as %q", cut, out.String())
}

// sharedRun is the longest text that is in both.
func sharedRun(a, b string) string {
	best := ""
	for i := range b {
		for n := len(best) + 1; i+n <= len(b) && strings.Contains(a, b[i:i+n]); n++ {
			best = b[i : i+n]
		}
	}
	return best
}

func TestFieldsWithSecretNames(t *testing.T) {
	hide := New(nil)
	for in, want := range map[string]string{
		`{"api_key":"abc"}`:                       `{"api_key":"[masked]"}`,
		`{"OPENAI_API_KEY" : "abc","a":"b"}`:      `{"OPENAI_API_KEY" : "[masked]","a":"b"}`,
		`{"password":"","token":null,"key":"v"}`:  `{"password":"","token":null,"key":"v"}`,
		`{"tokens":["abc"],"x":{"secret":"abc"}}`: `{"tokens":["abc"],"x":{"secret":"[masked]"}}`,
		`{"a":1.50e3,"b":[true, null],"c":"\/"}`:  `{"a":1.50e3,"b":[true, null],"c":"\/"}`,
	} {
		require.Equal(t, want, string(hide.JSON(nil, []byte(in))))
	}
}

func TestNamesOfSecrets(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "api-key", "GITHUB_TOKEN", "x-api-key", "dbPassword", "Set-Cookie", "DEPLOY_KEY"} {
		require.True(t, SecretName(name), name)
	}
	for _, name := range []string{"", "key", "keyboard", "tokens", "MAX_TOKENS", "monkey", "PATH", "author"} {
		require.False(t, SecretName(name), name)
	}
}

// A log is kept: each of its lines is masked and clean, and the writer is told that
// all of it was taken.
func TestAWriterKeepsLinesWithoutSecretsAndWithoutSequences(t *testing.T) {
	var kept bytes.Buffer
	line := "call: \x1b]0;x\a key sk-" + "AbCdEf0123456789 and correct-horse\n"
	n, err := New([]string{"correct-horse"}).Writer(&kept).Write([]byte(line))
	require.NoError(t, err)
	require.Equal(t, len(line), n)
	require.Equal(t, "call: ␛]0;x␇ key [masked] and [masked]\n", kept.String())
}

// What could act on a terminal that a JSON export is printed to is written as an
// escape, and reads back as it was.
func TestJSONIsPrintable(t *testing.T) {
	for _, text := range []string{"\x1b[31m\u009b0m\x7f", "a\u202eb\u2066c", "\u2028 \u200b \U000E0041", "\u3164\u2800", "z" + strings.Repeat("\u0301", 50), "👩\u200d💻 é 漢", "<script>&"} {
		in, err := json.Marshal(text)
		require.NoError(t, err)
		out := New(nil).JSON(nil, in)
		for _, r := range string(out) {
			require.False(t, hiddenRune(r) || r == '<', "%q", out)
		}
		require.NotContains(t, string(out), strings.Repeat("\u0301", 9))
		var back string
		require.NoError(t, json.Unmarshal(out, &back))
		require.Equal(t, text, back)
	}
}

func FuzzJSONMask(f *testing.F) {
	f.Add(`{"a":"sk-ant-abcdef","b":[1,"\u202e"]}`)
	f.Add(`{"KEY":"x\\\"y","\ud800":"\ud83d\ude00"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		hide := New([]string{"correct-horse-battery"})
		out := hide.JSON(nil, []byte(text))
		require.True(t, json.Valid(out), "%q", out)
		require.True(t, utf8.Valid(out))
		require.NotContains(t, string(out), "correct-horse-battery")
		if hide.idle([]byte(text)) && !strings.Contains(text, `\u`) && !secretIn(text) {
			require.Equal(t, compact(t, text), compact(t, string(out)))
		}
	})
}

func secretIn(text string) bool { // by name: any word of the list
	lower := strings.ToLower(separators.Replace(text))
	for _, name := range append(secretNames, "key") {
		if strings.Contains(lower, name) {
			return true
		}
	}
	return false
}

// compact is what a JSON text says, numbers to the letter.
func compact(t *testing.T, text string) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	return fmt.Sprintf("%#v", v)
}

// Whatever stands around a secret, and wherever a stream is cut, it does not come
// through.
func FuzzMask(f *testing.F) {
	const literal, shaped = "correct-horse-battery", "ghp_" + "0123456789abcdefghij0123456789"
	f.Add("before ", " after", uint8(3))
	f.Add("KEY=", "\"\n", uint8(1))
	f.Add("-----BEGIN PRIVATE "+"KEY-----", "sk-", uint8(200))
	f.Fuzz(func(t *testing.T, before, after string, size uint8) {
		if len(before)+len(after) > 4096 {
			return // it takes as long as it is, and shows nothing more
		}
		hide := New([]string{literal})
		text := before + literal + after + " " + shaped + "\n" + before
		got := hide.Text(text)
		require.NotContains(t, got, literal)
		require.NotContains(t, got, shaped)
		var s Stream
		var out strings.Builder
		for rest := text; rest != ""; {
			n := min(int(size)+1, len(rest))
			out.WriteString(s.Next(hide, rest[:n]))
			rest = rest[n:]
		}
		require.NotContains(t, out.String(), literal)
		require.NotContains(t, out.String(), shaped)
	})
}

// No other word of these texts gives them away.
func TestNoSecretIsLeftInJSONForItsSpellingOrItsFieldsName(t *testing.T) {
	m := New([]string{`pa"ss\word9`, "two\nlines of it"})
	for _, text := range []string{
		`{"a":"it is pa\"ss\\word9"}`, `{"a":"it is two\nlines of it"}`, `{"a":"{\"b\":\"pa\\\"ss\\\\word9\"}"}`,
		`{"host":"db","credentials":"hunter2hunter2"}`, `{"Credential":"hunter2hunter2"}`, `{"GPG_PASSPHRASE":"hunter2hunter2"}`,
	} {
		masked := string(m.JSON(nil, []byte(text)))
		require.Contains(t, masked, Masked, text)
		for _, secret := range []string{"word9", "lines of it", "hunter2"} {
			require.NotContains(t, masked, secret, text)
		}
	}
}
