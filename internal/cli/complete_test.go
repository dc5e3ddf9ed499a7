package cli

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// grammar is a small command line with one of each: a command without a name, flags of
// several kinds, arguments, something hidden.
type grammar struct {
	Chat struct {
		Print  bool     `short:"p" help:"One prompt. And out."`
		Model  string   `complete:"model" help:"Which."`
		Prompt []string `arg:"" optional:""`
	} `cmd:"" default:"withargs" hidden:""`
	Export struct {
		Session string   `arg:"" complete:"session"`
		Format  string   `enum:"md,html" default:"md" help:"The format."`
		Output  string   `short:"o" complete:"files"`
		Tag     []string `help:"Several."`
	} `cmd:"" help:"Write: a session."`
	Show struct {
		Sessions []string `arg:"" complete:"session"`
	} `cmd:"" help:"Print."`
	Secret struct{} `cmd:"" hidden:""`
}

func model(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := kong.New(&grammar{}, kong.Name("pawl"), kong.Description("An agent.\n\nWith more to say.\n  and lines\n\n  that stand"))
	require.NoError(t, err)
	return parser.Model
}

func completed(t *testing.T, words ...string) (texts []string) {
	t.Helper()
	values := func(kind string) []Candidate { return []Candidate{{Text: kind + "-a"}, {Text: kind + "-b"}} }
	for _, c := range Complete(model(t), words, values) {
		texts = append(texts, c.Text)
	}
	return texts
}

func TestWhatCanStandAtAPlace(t *testing.T) {
	for _, row := range []struct{ words, want []string }{
		{nil, []string{"export", "show"}},
		{[]string{""}, []string{"export", "show"}},
		{[]string{"ex"}, []string{"export"}},
		{[]string{"sec"}, nil},
		{[]string{"--m"}, []string{"--model"}},
		{[]string{"-p", "--"}, []string{"--help", "--model", "--print"}[:2]},
		{[]string{"--model", ""}, []string{"model-a", "model-b"}},
		{[]string{"--model=model-b"}, []string{"--model=model-b"}},
		{[]string{"--nothing=x"}, nil},
		{[]string{"-p", "--model", "x", "exp"}, []string{"export"}},
		{[]string{"export", ""}, []string{"session-a", "session-b"}},
		{[]string{"export", "x", ""}, nil},
		{[]string{"export", "--format", ""}, []string{"md", "html"}},
		{[]string{"export", "--format=h"}, []string{"--format=html"}},
		{[]string{"export", "x", "-o", "ru"}, []string{Files}},
		{[]string{"export", "--output=ru"}, []string{Files}},
		{[]string{"export", "--tag", "a", "--"}, []string{"--format", "--output", "--tag", "--help"}},
		{[]string{"export", "--format", "md", "--f"}, nil},
		{[]string{"export", "--", "--f"}, nil},
		{[]string{"show", "a", "b", ""}, []string{"session-a", "session-b"}},
		{[]string{"nonsense", "ex"}, nil},
	} {
		require.ElementsMatch(t, row.want, completed(t, row.words...), "%q", row.words)
	}
}

func TestACandidateSaysWhatItIsInAFewWords(t *testing.T) {
	all := Complete(model(t), []string{"ex"}, nil)
	require.Equal(t, []Candidate{{"export", "Write"}}, all)
	require.Equal(t, []Candidate{{"--print", "One prompt"}}, Complete(model(t), []string{"--pr"}, nil))
	require.Equal(t, []Candidate{{"export", "Write"}, {"show", "Print"}}, Commands(model(t)))
}

func FuzzComplete(f *testing.F) {
	f.Add("export", "--format", "=", "")
	f.Add("--", "-", "--=x", "\x00")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, found := range completed(t, a, b, c, d) {
			require.NotEmpty(t, found)
		}
	})
}
