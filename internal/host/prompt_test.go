package host

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASilentStandardInputIsGivenUpWhereThereIsAPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, held := io.Pipe() // as ssh leaves it open
		defer held.Close()
		var told bytes.Buffer
		began := time.Now()
		prompt, err := Prompt([]string{"say", "hi"}, in, &told)
		require.NoError(t, err)
		require.Equal(t, "say hi", prompt)
		require.Equal(t, silenceLimit, time.Since(began))
		require.Equal(t, "pawl: waiting up to 1m0s for standard input: use </dev/null if it is not part of the prompt\n"+
			"pawl: nothing came on standard input: going on without it\n", told.String())
	})
}

func TestWhatComesLateOnStandardInputIsWaitedFor(t *testing.T) {
	for name, words := range map[string][]string{"with a prompt": {"why?"}, "without": nil} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, out := io.Pipe()
				go func() { // a build that takes its time, with pauses
					<-time.After(50 * time.Second)
					_, _ = io.WriteString(out, "FAIL ")
					<-time.After(time.Hour)
					_, _ = io.WriteString(out, "TestRefund")
					_ = out.Close()
				}()
				var told bytes.Buffer
				prompt, err := Prompt(words, in, &told)
				require.NoError(t, err)
				require.Contains(t, prompt, "FAIL TestRefund")
				require.Contains(t, told.String(), "pawl: waiting")
				require.NotContains(t, told.String(), "going on without")
			})
		})
	}
}

func TestAPromptFromStandardInputAloneIsWaitedForWithoutALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		go func() {
			<-time.After(10 * silenceLimit)
			_, _ = io.WriteString(out, "at last")
			_ = out.Close()
		}()
		var told bytes.Buffer
		prompt, err := Prompt(nil, in, &told)
		require.NoError(t, err)
		require.Equal(t, "at last", prompt)
		require.Equal(t, "pawl: waiting for the end of standard input, which is the prompt: to give it here, pawl -p \"…\" </dev/null\n", told.String())
	})
}

func TestAnInputThatBeginsAndStaysOpenSaysThatItIsWaitedFor(t *testing.T) {
	for words, line := range map[string]string{
		"why?": "pawl: waiting for the end of standard input: use </dev/null if it is not part of the prompt\n",
		"":     "pawl: waiting for the end of standard input, which is the prompt: to give it here, pawl -p \"…\" </dev/null\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			in, out := io.Pipe()
			told := make(chan string, 1)
			go func() {
				_, _ = io.WriteString(out, "at once") // and then nobody closes it
				assert.Equal(t, line, <-told)
				_ = out.Close()
			}()
			began := time.Now()
			prompt, err := Prompt(strings.Fields(words), in, teller(told))
			require.NoError(t, err)
			require.Contains(t, prompt, "at once")
			require.Equal(t, hintAfter, time.Since(began))
		})
	}
}

// teller hands on each line that is told.
type teller chan<- string

func (t teller) Write(line []byte) (int, error) {
	t <- string(line)
	return len(line), nil
}

func TestWhatIsThereAtOnceIsReadWithoutAWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told bytes.Buffer
		prompt, err := Prompt([]string{"why?"}, bytes.NewBufferString("a diff\n"), &told)
		require.NoError(t, err)
		require.Equal(t, "why?\n\na diff", prompt)
		require.Empty(t, told.String())
	})
}
