package export

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// planted are secrets as they are found in the wild, and what surrounds them.
// SECRET marks what must go. They are put together here so that no scanner takes
// this file for a leak.
var planted = map[string]struct{ text, secret string }{
	"anthropic":        {"key SECRET.", "sk-ant-" + "api03-AbCdEf0123456789_-xyz"},
	"openai":           {"key SECRET.", "sk-" + "AbCdEf0123456789AbCdEf01"},
	"openai project":   {"(SECRET)", "sk-" + "proj-AbCdEf0123_456789-AbCd"},
	"google":           {"key=SECRET", "AIza" + "SyA0123456789abcdefghijklmnopqrstuv"},
	"github":           {"https://SECRET@github.com/a/b", "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"},
	"github oauth":     {"SECRET", "gho_" + "0123456789abcdefghijABCDEFGHIJ012345"},
	"github fine":      {"SECRET", "github_pat_" + "11ABCDEFG0123456789_abcdefghijklmnop"},
	"aws":              {"aws_access_key_id: SECRET", "AKIA" + "IOSFODNN7EXAMPLE"},
	"slack":            {"SECRET", "xoxb-" + "123456789012-abcdefABCDEF"},
	"slack person":     {"SECRET", "xoxp-" + "123456789012-abcdefABCDEF"},
	"stripe":           {"SECRET", "sk_" + "live_abcdef0123456789"},
	"jwt":              {"cookie SECRET;", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"},
	"private key":      {"a\nSECRET\nb", "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow\nabc==\n-----END RSA PRIVATE KEY-----"},
	"cut private key":  {"a\nSECRET", "-----BEGIN OPENSSH PRIVATE " + "KEY-----\nb3BlbnNzaC1rZXk"},
	"bearer":           {"Authorization: Bearer SECRET\n", "opaque-token-1"},
	"bearer in json":   {`{"Authorization":"Bearer SECRET"}`, "opaque-token-1"},
	"bearer in curl":   {`curl -H 'authorization: bearer SECRET' x`, "opaque-token-1"},
	"basic":            {"Authorization: Basic SECRET", "dXNlcjpwYXNz"},
	"header":           {"x-api-key: SECRET", "0123456789abcdef"},
	"variable":         {"export OPENAI_API_KEY=SECRET", "whatever-it-is"},
	"bare variable":    {"KEY=SECRET TOKEN=x", "hunter2hunter"},
	"token":            {"GITHUB_TOKEN=SECRET", "hunter2hunter"},
	"quoted variable":  {`PASSWORD="SECRET"`, "hunter2hunter"},
	"yaml variable":    {"  DB_PASSWORD: SECRET", "hunter2hunter"},
	"code":             {`apiKey: "SECRET",`, "hunter2hunter"},
	"escaped code":     {`{\"client_secret\":\"SECRET\"}`, "hunter2hunter"},
	"query":            {"GET /v1?x=1&access_token=SECRET HTTP/1.1", "hunter2hunter"},
	"flag":             {"login --password SECRET --user x", "hunter2hunter"},
	"address":          {"postgres://shop:SECRET@db/shop", "hunter2hunter"},
	"literal":          {"it is SECRET!", "correct horse battery"},
	"literal in a url": {"q=SECRET", "correct+horse+battery"},
}

func TestPlantedSecretsAreMasked(t *testing.T) {
	hide := newMask([]string{"correct horse battery", "short"})
	for name, c := range planted {
		t.Run(name, func(t *testing.T) {
			want := strings.ReplaceAll(c.text, "SECRET", masked)
			got := hide.text(strings.ReplaceAll(c.text, "SECRET", c.secret))
			require.Equal(t, want, got)
			require.Equal(t, want, hide.text(got), "masking twice is masking once")
		})
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	hide := newMask([]string{"short"})
	for _, text := range []string{
		"a risk-assessment-of-everything", "task-completion-notification", "MAX_TOKENS=4096", "input_tokens: 1200",
		"token := scanner.Next()", "if key == other {", "API_KEY=$OTHER", "export KEY=${FILE}", "KEY=<your key>",
		"Authorization: required", "the bearer of bad news", "password: getPassword()", "basic understanding",
		"https://example.com/a?b=c", "short", "019f0a2b-7c1e-7abc-8def-0123456789ab", "primary key = id", "--token-limit 5",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "sk-", "git@github.com:a/b.git", "http://localhost:8080/@x",
	} {
		require.Equal(t, text, hide.text(text))
	}
}

// No planted secret is in any export, wherever it was put, and none is in a
// stream.
func TestNoExportHoldsASecret(t *testing.T) {
	for name, c := range planted {
		if strings.Contains(c.secret, "\n") { // compared line by line below
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := planting(t, strings.ReplaceAll(c.text, "SECRET", c.secret))
			s.secrets = []string{"correct horse battery"}
			require.NotContains(t, string(s.export(FormatJSON, s.upto())), c.secret)
			require.NotContains(t, string(s.export(FormatMarkdown, s.upto())), c.secret)
		})
	}
	s := planting(t, planted["private key"].secret)
	for _, format := range Formats() {
		require.NotContains(t, string(s.export(format, s.upto())), "MIIEow")
	}
}

// planting is a session with this text in every place that holds one.
func planting(t *testing.T, text string) *story {
	s := newStory(t)
	s.facts.Title, s.facts.Folder, s.facts.Model = text, text, text
	s.spawn(root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: text, From: lifecycle.FromUser}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	input := encodedBytes(t, object{"command": text, text: []any{text, object{"deep": text}}})
	s.add(root, "r-p1", lifecycle.Thinking{Text: text}, lifecycle.Text{Text: text},
		started("c-1", text, text, string(input)),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: root, Run: "r-p1", Call: "c-1", Tool: text, Subject: text}},
		lifecycle.PermissionDenied{Question: "q", Tool: text, Subject: text, By: "rule", Reason: text},
		toolEnded("c-1", text, lifecycle.ToolError, agent.CommandView{Command: text, Output: text, Note: text}),
		lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: text}, lifecycle.Waiting{Why: text},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: text}},
		lifecycle.MessageWithdrawn{Message: "m", Text: text})
	s.answered(root, "r-p1", thought(text), say(text), call("c-1", text, string(input)), call("c-2", text, "no JSON: "+text))
	s.result(root, "r-p1", "c-1", text, text, true)
	s.write(root, "r-p1", lifecycle.EntrySummary, object{"text": text})
	s.spawn("s-1", "r-1", child("c-1", text, text, text, true), lifecycle.Started{}, lifecycle.Compacted{Summary: text},
		lifecycle.Ended{State: lifecycle.StateFailed, Reason: text, Partial: text, Error: &lifecycle.Failure{Kind: lifecycle.FailTool, Message: text}},
		lifecycle.NotificationQueued{})
	s.told("r-p1", "r-1")
	s.add(root, "r-p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})
	return s
}

// Wherever a stream is cut, no more of a secret comes through than the few
// letters that do not give it away.
func TestSecretsCutBetweenRecords(t *testing.T) {
	const literal = "correct-horse-battery"
	for name, c := range planted {
		if strings.HasPrefix(name, "literal") {
			c.text, c.secret = "it is SECRET!", literal
		}
		hidden := strings.TrimPrefix(c.secret, "github_pat_")
		if _, body, ok := strings.Cut(c.secret, "KEY-----\n"); ok { // the line before is no secret
			hidden, _, _ = strings.Cut(body, "\n-----")
		}
		text := "before " + strings.ReplaceAll(c.text, "SECRET", c.secret) + " after"
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
	p := newPieces(newMask([]string{literal}))
	var out strings.Builder
	for _, piece := range cut {
		out.WriteString(p.next(stream{}, piece))
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

func TestStreamsDoNotMix(t *testing.T) {
	p := newPieces(newMask(nil))
	text := func(run lifecycle.RunID, s string) string {
		return p.mask(lifecycle.Record{Run: run, Event: lifecycle.Text{Text: s}}).Event.(lifecycle.Text).Text
	}
	require.Equal(t, "key "+masked, text("r-1", "key sk-ant-"))
	require.Equal(t, "api03-abc is a name", text("r-2", "api03-abc is a name"))
	require.Equal(t, " and more", text("r-1", "api03-abcdef and more"))
	p.mask(lifecycle.Record{Run: "r-1", Event: lifecycle.StepStarted{Step: 2}})
	require.Len(t, p.ends, 1, "a step that is over is forgotten")
}

func TestFieldsWithSecretNames(t *testing.T) {
	hide := newMask(nil)
	for in, want := range map[string]string{
		`{"api_key":"abc"}`:                       `{"api_key":"[masked]"}`,
		`{"OPENAI_API_KEY" : "abc","a":"b"}`:      `{"OPENAI_API_KEY" : "[masked]","a":"b"}`,
		`{"password":"","token":null,"key":"v"}`:  `{"password":"","token":null,"key":"v"}`,
		`{"tokens":["abc"],"x":{"secret":"abc"}}`: `{"tokens":["abc"],"x":{"secret":"[masked]"}}`,
		`{"a":1.50e3,"b":[true, null],"c":"\/"}`:  `{"a":1.50e3,"b":[true, null],"c":"\/"}`,
	} {
		require.Equal(t, want, string(hide.json(nil, []byte(in))))
	}
}

// What could act on a terminal that a JSON export is printed to is written as an
// escape, and reads back as it was.
func TestJSONIsPrintable(t *testing.T) {
	for _, text := range []string{"\x1b[31m\u009b0m\x7f", "a\u202eb\u2066c", "\u2028 \u200b \U000E0041", "👩\u200d💻 é 漢", "<script>&"} {
		in, err := json.Marshal(text)
		require.NoError(t, err)
		out := newMask(nil).json(nil, in)
		for _, r := range string(out) {
			require.False(t, hiddenRune(r) || r == '<', "%q", out)
		}
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
		hide := newMask([]string{"correct-horse-battery"})
		out := hide.json(nil, []byte(text))
		require.True(t, json.Valid(out), "%q", out)
		require.True(t, utf8.Valid(out))
		require.NotContains(t, string(out), "correct-horse-battery")
		if hide.idle(text) && !strings.Contains(text, `\u`) && !secretIn(text) {
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
