package settings

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATableSaysOfModelsWhatIsNotBuiltIn(t *testing.T) {
	path := file(t, `
model = "openai-chat/my-model"

[models."openai-chat/my-model"]
context = 32_768
input_price = 0.5
output_price = 2
images = false

[models]
"ollama/*" = { context = 8192 }
`)
	s, err := Load(path, nil)
	require.NoError(t, err)
	context, local, in, out, no := 32_768, 8192, 0.5, 2.0, false
	require.Equal(t, map[string]Model{
		"openai-chat/my-model": {Context: &context, InputPrice: &in, OutputPrice: &out, Images: &no, Where: path + ":4"},
		"ollama/*":             {Context: &local, Where: path + ":11"},
	}, s.Models)
}

func TestEveryKeyOfAModelIsKnownByName(t *testing.T) {
	var names []string
	for field := range reflect.TypeFor[Model]().Fields() {
		if name := field.Tag.Get("toml"); name != "-" {
			names = append(names, name)
		}
	}
	require.Equal(t, names, modelKeys())
}

func TestWhatDoesNotFitAModelIsNamedWithItsLine(t *testing.T) {
	for name, row := range map[string]struct {
		text  string
		wants []string
	}{
		"an unknown key":     {"[models.\"a/b\"]\n\ncontex = 1", []string{"config.toml:3: ", `"contex"`, `models."a/b"`, `"context"`}},
		"an unknown price":   {"[models.\"a/b\"]\ncache_price = 1", []string{"config.toml:2: ", `"cache_price"`, `"cached_price"`}},
		"an unknown table":   {"[modles.\"a/b\"]\ncontext = 1", []string{"config.toml:1: ", `"modles.a/b"`, `"models.a/b"`}},
		"no provider":        {"\n[models.\"gpt-5.5\"]\ncontext = 1", []string{"config.toml:2: ", `models."gpt-5.5"`, `"provider/name"`}},
		"no name":            {"[models.\"openai/\"]\ncontext = 1", []string{"config.toml:1: ", `models."openai/"`}},
		"a star in between":  {"[models.\"openai/*-mini\"]\ncontext = 1", []string{"config.toml:1: ", "beginning*"}},
		"an effort":          {"[models.\"a/b\"]\neffort = [\"low\", \"huge\"]", []string{"config.toml:2: ", `models."a/b".effort "huge"`, "low, medium, high, xhigh or max"}},
		"no room":            {"[models.\"a/b\"]\nimages = true\ncontext = 0", []string{"config.toml:3: ", `models."a/b".context 0`, "1 or more"}},
		"a long answer":      {"[models.\"a/b\"]\ncontext = 10\noutput = 11", []string{"config.toml:3: ", `models."a/b".output 11`, "at most the context, 10"}},
		"a negative price":   {"[models.\"a/b\"]\ninput_price = -1.5\noutput_price = 1", []string{"config.toml:2: ", "input_price -1.5", "a million tokens"}},
		"no number":          {"[models.\"a/b\"]\ncached_price = nan", []string{"config.toml:2: ", "cached_price NaN", "a million tokens"}},
		"half a price":       {"[models.\"a/b\"]\noutput_price = 1", []string{"config.toml:2: ", "output_price needs", "input_price"}},
		"the other half":     {"[models]\n\"a/b\".input_price = 1", []string{"config.toml:2: ", "input_price needs", "output_price"}},
		"inline":             {"\nmodels = { \"a/b\" = { context = -1 } }", []string{"config.toml:2: ", `models."a/b".context -1`}},
		"a word for a price": {"[models.\"a/b\"]\ninput_price = \"cheap\"", []string{"config.toml:2: "}},
		"no table":           {"models = 3", []string{"config.toml:1: "}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(file(t, row.text), nil)
			var wrong *Error
			require.ErrorAs(t, err, &wrong)
			for _, want := range row.wants {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestNoVariableSetsAModel(t *testing.T) {
	_, err := Load("none", []string{"PAWL_MODELS=x"})
	require.ErrorContains(t, err, "PAWL_MODEL")
}
