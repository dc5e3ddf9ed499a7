package lifecycle

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLabelsThatCannotBeUsedAreRefusedByName(t *testing.T) {
	for labels, want := range map[string]string{
		"gpu":                   "",
		"gpu,linux_2":           "",
		"a,b,c,d,e":             "",
		"a,b,c,d,e,f":           "6 labels (a,b,c,d,e,f): at most 5",
		"a,,b":                  "a label is empty",
		"GPU":                   "",
		"a.b":                   `label "a.b": must have`,
		"gpu,gpu":               `label "gpu": given twice`,
		"any":                   `label "any": reserved`,
		"*":                     `label "*": must have`,
		strings.Repeat("x", 33): "must have 1 to 32",
	} {
		err := CheckLabels(strings.Split(labels, ","))
		if want == "" {
			require.NoError(t, err, labels)
			continue
		}
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, CheckLabels(nil))
}
