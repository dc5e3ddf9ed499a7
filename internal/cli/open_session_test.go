package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/fleet"
)

func TestAFirstWordIsASessionOnlyIfItIsNoWord(t *testing.T) {
	for _, id := range []string{"4f2a", "…4f2a", "...beef", "…ad", "01a20c51-968a-7a13-bfb2-5da89c4a7029", "7", "beef", "A3F2"} {
		require.True(t, likeID().MatchString(id), id)
	}
	for _, word := range []string{"fix", "add", "a", "the tests", "and 4f2a", "…", "-", ""} {
		require.False(t, likeID().MatchString(word), word)
	}
}

func TestAQuestionIsPrintedWholeOrSaysThatItIsCut(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, printQuestion(&out, fleet.Question{Question: "01c1", Who: "look", Tool: "shell", Text: "go test\n\x1b[2Jrm -rf", Cut: true}))
	require.Equal(t, "01c1  look: shell\n  go test\n  ␛[2Jrm -rf\n… (cut: pawl attach shows the rest)\n", out.String())
	o := answerOptions{}
	_, err := o.choose(fleet.Status{Session: "0000000012345678", Questions: []fleet.Question{{Question: "01c1", Cut: true}}})
	require.EqualError(t, err, "the question is too long to be shown here, and what is not read is not answered: pawl attach 12345678")
}

func TestALineOfAnOpenSessionSaysHowItStands(t *testing.T) {
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	var out, narrow bytes.Buffer
	all := []fleet.Status{
		{Session: "0000000012345678", State: fleet.NeedsYou, Runs: fleet.Runs{Running: 2, Queued: 1}, Shells: 1, CostUSD: 0.314, Memory: 40 << 20, Since: noon.Add(-time.Minute), Folder: "/shop", Title: "fix\tit", Activity: "waiting for you"},
		{Session: "00000000abcdef01", State: "resting", Started: noon.Add(-time.Hour), Folder: "/shop"},
	}
	require.NoError(t, printHosts(&out, all, noon, 0))
	require.Equal(t, `12345678  needs you  2 running, 1 queued, 1 command  $0.31  40.0 MB  1 minute ago  /shop  fix it    waiting for you
abcdef01  resting    nothing runs                    $0.00  -        1 hour ago    /shop  untitled  
`, out.String())
	require.NoError(t, printHosts(&narrow, all, noon, 108))
	require.Equal(t, `12345678  needs you  2 running, 1 queued, 1 command  $0.31  40.0 MB  1 minute ago  /shop  fix it    waiting…
abcdef01  resting    nothing runs                    $0.00  -        1 hour ago    /shop  untitled  
`, narrow.String(), "a row has one line")
}
