package mask

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shape is a known form of secrets. Its pattern has one group: the secret itself. hints
// are texts of which at least one is in whatever matches; they are much faster to find.
// The pattern is compiled when a text first contains a hint: compiling all would add half
// a millisecond to each start.
type shape struct {
	hints    []string
	pattern  func() *regexp.Regexp
	assigned bool // it matches a name with a value; see assigns
}

// shapes is the table of known forms: first tokens with a maker's prefix, then values that
// only their name gives away.
var shapes = sync.OnceValue(func() []shape {
	table := []struct{ pattern, hints string }{
		// Anthropic, OpenAI and those that copy them.
		{`(sk-ant-[A-Za-z0-9_-]{6,})`, "sk-ant-"},
		{`(?:^|[^A-Za-z0-9]|\\[nrt])(sk-[A-Za-z0-9_-]{8,})`, "sk-"},
		{`([sr]k_(?:live|test)_[A-Za-z0-9]{8,})`, "k_live_ k_test_"},
		{`(?:^|[^A-Za-z0-9]|\\[nrt])((?:gsk_|xai-|hf_|npm_|pypi-|glpat-|ya29\.)[A-Za-z0-9_-]{16,})`, "gsk_ xai- hf_ npm_ pypi- glpat- ya29."},
		{`(AIza[A-Za-z0-9_-]{20,})`, "AIza"},
		{`(gh[pousr]_[A-Za-z0-9]{16,})`, "ghp_ gho_ ghu_ ghs_ ghr_"},
		{`(github_pat_[A-Za-z0-9_]{16,})`, "github_pat_"},
		{`((?:AKIA|ASIA)[A-Z0-9]{12,})`, "AKIA ASIA"},
		{`(xox[a-z]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,})`, "xox xapp-"},
		{`(eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?)`, "eyJ"}, // JWT
		{`(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z))`, "PRIVATE·KEY"},
		{`(AGE-SECRET-KEY-[A-Z0-9]{16,})`, "AGE-SECRET-KEY-"},
		// A header, with a scheme or long enough to be no prose.
		{`(?i)authorization\\*["']?\s*[:=]\s*\[?\\*["']?(?:bearer|basic|token)\s+([^\s"'\\,;\[\]][^\s"'\\,;\]]{3,})`, "uthorization UTHORIZATION :="},
		{`(?i)authorization\\*["']?\s*[:=]\s*\\*["']?([^\s"'\\,;\[][^\s"'\\,;]{15,})`, "uthorization UTHORIZATION :="},
		{`(?i)(?:x-api-key|x-goog-api-key|api-key|private-token)\\*["']?\s*:\s*\\*["']?([^\s"'\\,;\[][^\s"'\\,;]{7,})`, "-key -Key -KEY -token -Token :="},
		{`(?i)cookie\\*["']?\s*:\s*\\*["']?[a-z0-9_.-]+=([^\r\n"'\\\[][^\r\n"'\\]{7,})`, "ookie OOKIE :="},
		{`[Bb]earer\s+([A-Za-z0-9._~+/=-]{20,})`, "earer"},
		// A variable: what a shell or a .env file sets. A reference is no value.
		{`[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)\\*["']?[ \t]*[:=][ \t]*(?:\\*["'])?([^\s"'\\$<{(\[=;,][^\s"'\\;,]{3,})`, "KEY TOKEN SECRET PASSW CREDENTIAL :="},
		{`(?i)aws_?secret_?access_?key\\*["']?\s*[:=]\s*\\*["']?([a-z0-9/+=]{30,})`, "ecret :="},
		// The same in code and in settings: only a quoted value, or one without a space before it.
		{`(?i)(?:(?:api|access|auth|secret|private|client|refresh)[_-]?(?:key|token|secret)|token|secret|password|passwd|passphrase)\\*["']?\s*[:=]\s*\\*["']([^\s"'\\$<{(\[][^\s"'\\]{5,})\\*["']`, "key Key oken ecret assw assp :="},
		{`(?i)(?:(?:api|access|auth|secret|private|client|refresh)[_-]?(?:key|token|secret)|password|passwd)=([^\s"'\\$<{(\[&=;,][^\s"'\\&;,]{5,})`, "key Key oken ecret assw :="},
		{`(?i)[?&](?:key|token|auth|sig|signature|code)=([^\s"'\\&#\[][^\s"'\\&#]{7,})`, "= "},
		{`(?i)--(?:api-key|token|password|secret)[ =]\\*["']?([^\s"'\\$<\[-][^\s"'\\]{5,})`, "--"},
		{`://[^\s/:@"']*:([^\s/@"'\[][^\s/@"']{2,})@`, "://"},
	}
	made := make([]shape, len(table))
	for i, row := range table {
		made[i] = newShape(row.pattern, row.hints)
	}
	return made
})

// hintFinder looks for the hints of all shapes at once. A text without any has no secret by
// shape. unfinishedHints does so for unfinished, and fieldFinder for the names of fields as well.
var (
	hintFinder      = sync.OnceValue(func() *finder { return newFinder(hintsOf(shapes())) })
	fieldFinder     = sync.OnceValue(func() *finder { return newFinder(append(hintsOf(shapes()), "redential", "PASSP")) })
	unfinishedHints = sync.OnceValue(func() *finder { return newFinder(hintsOf(unfinished())) })
)

func hintsOf(shapes []shape) []string {
	var hints []string
	for _, s := range shapes {
		hints = append(hints, s.hints...)
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}

// newShape builds a shape from one row: hints are words, with a middle dot for a space. A
// final := marks a name with an assigned value.
func newShape(pattern, hints string) shape {
	names, given := strings.CutSuffix(hints, " :=")
	words := strings.Fields(names)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "·", " ")
	}
	return shape{hints: words, pattern: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) }), assigned: given}
}

// unfinished matches the beginnings of secrets at the end of a text, as in a stream that
// was cut there. Each has one group: what must not be shown before the next piece arrives.
var unfinished = sync.OnceValue(func() []shape {
	return []shape{
		newShape(`((?:sk-|[sr]k_(?:live|test)_|gsk_|xai-|hf_|npm_|pypi-|glpat-|ya29\.|AIza|gh[pousr]_|github_pat_|AKIA|ASIA|AGE-SECRET-KEY-|xox[a-z]-|xapp-|eyJ)[A-Za-z0-9_.-]*)\z`, "AGE-SECRET-KEY- sk- k_live_ k_test_ gsk_ xai- hf_ npm_ pypi- glpat- ya29. AIza ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ AKIA ASIA xox xapp- eyJ"),
		newShape(`(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)\\*["']?[ \t]*[:=][ \t]*\\*["']?([^\s"'\\,;$<{(\[=][^\s"'\\,;]*\\*)\z`, "KEY TOKEN SECRET PASSW CREDENTIAL"),
		newShape(`(?i)(?:(?:api|access|auth|secret|private|client|refresh)[_-]?(?:key|token|secret)|token|secret|password|passwd|passphrase)(?:\\*["']?\s*[:=]\s*\\*["']|=)([^\s"'\\,;$<{(\[=][^\s"'\\,;]*\\*)\z`, "key Key oken ecret assw assp"),
		newShape(`(?i)authorization\\*["']?\s*[:=]\s*\\*["']?(?:bearer\s+|basic\s+|token\s+)?([^\s"'\\,;$<{(\[=][^\s"'\\,;]*\\*)\z`, "uthorization UTHORIZATION"),
		newShape(`(?i)(?:bearer\s+|--(?:api-key|token|password|secret)[ =])([^\s"'\\,;\[-][^\s"'\\,;]{5,}\\*)\z`, "earer EARER --"),
		newShape(`(?i)(?:x-api-key|x-goog-api-key|api-key|private-token)\\*["']?\s*:\s*\\*["']?([^\s"'\\,;\[][^\s"'\\,;]*\\*)\z`, "-key -Key -KEY -token -Token"),
		newShape(`(?i)[?&](?:key|token|auth|sig|signature|code)=([^\s"'\\&#\[]+)\z`, "="),
		newShape(`(?i)cookie\\*["']?\s*:\s*\\*["']?[a-z0-9_.-]+=([^\r\n"'\\\[]+)\z`, "ookie OOKIE"),
		newShape(`(?i)aws_?secret_?access_?key\\*["']?\s*[:=]\s*\\*["']?([a-z0-9/+=]+)\z`, "ecret"),
		newShape(`://[^\s/:@"']*:([^\s/@"'\[]*[^\s/@"'\[0-9][^\s/@"']*)\z`, "://"),
	}
})

// secretNames are names of fields whose values are always secret, in lower case and
// without separators.
var secretNames = []string{
	"apikey", "accesskey", "secretkey", "privatekey", "accesstoken", "authtoken", "refreshtoken",
	"idtoken", "bearertoken", "clientsecret", "token", "secret", "password", "passwd", "passphrase",
	"authorization", "credential", "credentials", "cookie", "setcookie", "xapikey", "xgoogapikey",
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// SecretName reports whether a field or variable of this name holds a secret: one of
// secretNames, or a longer name that ends with one (OPENAI_API_KEY).
func SecretName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	plain := strings.ToLower(separators.Replace(name))
	return slices.ContainsFunc(secretNames, func(known string) bool { return plain == known || len(known) > 6 && strings.HasSuffix(plain, known) }) ||
		slices.ContainsFunc([]string{"_KEY", "_TOKEN", "_SECRET"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
