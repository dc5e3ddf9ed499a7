package acp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
)

func TestWhatIsSaidIsToldOnceHoweverItComes(t *testing.T) {
	const whole = "The token is in the key file; a password\tis not.\r\nDone."
	for name, tell := range map[string]func(v *textStream) string{
		"streamed, then recorded": func(v *textStream) (said string) {
			for i := range whole {
				said += v.streamed(whole[:i+1])
			}
			return said + v.noted(whole[:20]) + v.noted(whole[20:])
		},
		"recorded alone": func(v *textStream) string { return v.noted(whole[:7]) + v.noted(whole[7:]) },
		"in turns": func(v *textStream) string {
			return v.streamed(whole[:9]) + v.noted(whole[:30]) + v.streamed(whole) + v.noted(whole[30:])
		},
		"late progress": func(v *textStream) string { return v.noted(whole) + v.streamed(whole[:12]) },
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, strings.ReplaceAll(whole, "\r", ""), strings.ReplaceAll(tell(&textStream{}), "\r", ""))
		})
	}
}

func TestASecretIsHiddenWhereverItIsCut(t *testing.T) {
	const secret = "hunter2-hunter2-hunter2"
	text := "it is " + secret + ", you see"
	for at := range text {
		v := &textStream{hide: mask.New([]string{secret})}
		said := v.streamed(text[:at]) + v.streamed(text)
		require.NotContains(t, said, secret)
		require.Contains(t, said, "you see")
	}
}
