package recording

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/formats"
)

// misreading is what is said of a document, without the name of its file.
func misreading(t testing.TB, document string) string {
	t.Helper()
	path := kept(t, []byte(document))
	r, err := Open(t.Context(), path)
	if err == nil {
		require.NoError(t, r.Close())
		return ""
	}
	says, named := strings.CutPrefix(err.Error(), "read "+path+": ")
	require.True(t, named, err.Error())
	require.NotContains(t, says, "\n")
	return says
}

// What is wrong with a document is said in one line, with its place.
func TestSaysWhatIsWrongWithARecording(t *testing.T) {
	s := exporttest.Plot(t)
	whole := string(exported(s, formats.JSON, s.Upto()))
	require.Empty(t, misreading(t, whole))
	for name, c := range map[string]struct{ swap, by, says string }{
		"a newer version":        {`"version":1`, `"version":2`, `line 3: version: the document has version 2, and this Pawl reads version 1: open it with a newer one`},
		"another format":         {`"format":"pawl-session"`, `"format":"tar"`, `line 2: format: it is JSON, but not a session that Pawl exported: name a file that pawl export --format json wrote`},
		"no format":              {`"format":`, `"shape":`, `it is JSON, but not a session that Pawl exported`},
		"no facts":               {`"session":{"id"`, `"sessions_":{"id"`, `it has no "session": export the session again`},
		"no id":                  {`"id":"s-root"`, `"id":""`, `session: the session has no id: export it again`},
		"a member twice":         {`"pawl":"0.1.0"`, `"seq":127`, `line 5: "seq" appears twice`},
		"a field twice":          {`"seq":2,`, `"seq":1,"seq":2,`, `record 2: "seq" appears twice`},
		"a field in capitals":    {`"seq":2,`, `"seq":2,"Seq":2,`, `record 2: "Seq" appears twice`},
		"a field in disguise":    {`"seq":2,`, `"seq":2,"ſeq":3,`, `record 2: "ſeq" appears twice`},
		"an inner field twice":   {`"data":{"position":1}`, `"data":{"position":1,"position":2}`, `"position" appears twice`},
		"an unknown event":       {`"event":"nudged"`, `"event":"poked"`, `"poked" is not one of the events`},
		"an unknown state":       {`"from":"user","folder":"/home/ada/shop","state":"completed"`, `"state":"done"`, `run 1: "done" is not a state of a run`},
		"an end that is none":    {`"event":"ended","data":{"state":"completed_empty"`, `"event":"ended","data":{"state":"running"`, `"running" is not a state in which a run ends`},
		"a kind of message":      {`{"kind":"assistant"`, `{"kind":"poem"`, `session 1, message 2: "poem" is not a kind of message`},
		"an empty summary":       {`{"kind":"assistant"`, `{"kind":"summary","role":"user","parts":[]},{"kind":"assistant"`, `session 1, message 2: a summary without a text`},
		"a role":                 {`"role":"tool"`, `"role":"fool"`, `"fool" is not a role`},
		"a part":                 {`{"type":"thinking"`, `{"type":"dreaming"`, `"dreaming" is not a type of part`},
		"a record missing":       {`{"seq":7,`, `{"seq":8,`, `record 7: record 7 is missing: record 8 follows record 6`},
		"a record twice":         {`{"seq":7,`, `{"seq":6,`, `record 7: record 6 appears twice`},
		"out of order":           {`{"seq":7,`, `{"seq":3,`, `record 7: record 3 follows record 6: they are out of order`},
		"a record without a run": {`"session":"s-root","run":"r-p1","event":"started"`, `"session":"s-root","event":"started"`, `record 2: it needs a root, a session and a run`},
		"more records":           {fmt.Sprintf("\"seq\":%d,\n", s.Upto()), `"seq":120,` + "\n", fmt.Sprintf("it has %d records but says 120: export the session again", s.Upto())},
		"a run twice":            {`{"run":"r-p2","session":"s-root","root"`, `{"run":"r-p1","session":"s-root","root"`, `run r-p1 appears twice`},
		"a session twice":        {`{"session":"s-audit","parent"`, `{"session":"s-root","parent"`, `session s-root appears twice`},
		"no transcript":          {`"session":"s-root","runs":["r-p1","r-p2"],"transcript"`, `"session":"s-root","runs":["r-p1","r-p2"],"script"`, `session 1: it needs an id and a transcript`},
		"another's transcript":   {`{"session":"s-root","runs"`, `{"session":"s-toor","runs"`, `the transcript of session s-root is missing`},
		"an object for a list":   {`"runs":[` + "\n", `"runs":{},"ran":[` + "\n", `runs: "[" must begin here`},
		"a string for a number":  {`"seq":3,`, `"seq":"3",`, `record 3: seq cannot be a string`},
		"a number too large":     {`"input_tokens":1200,`, `"input_tokens":99999999999999999999,`, `cannot be a number 99999999999999999999`},
		"tokens beyond counting": {`"input_tokens":1200,`, `"input_tokens":9000000000000000,`, `9000000000000000 is not a count of tokens, calls or steps`},
		"a cost below nothing":   {`"cost_usd":0.0154`, `"cost_usd":-0.0154`, `-0.0154 is not a cost in dollars`},
		"a time of no clock":     {`{"seq":1,"time":"2026-03-01T12:00:00.25Z","root"`, `{"seq":1,"time":"0526-03-01T12:00:00.25Z","root"`, `record 1: 0526-03-01T12:00:00Z is not a time between the years 1970 and 2200`},
		"a time that is none":    {`{"seq":1,"time":"2026-03-01T12:00:00.25Z","root"`, `{"seq":1,"time":"noon","root"`, `record 1: `},
		"a name that acts":       {`"totals":{`, `"\u001b]0;x\u0007\ntotals":}`, `: ␛]0;x␇ totals: `},
		"a setting that is none": {`"limits.max_cost":2.5`, `"limits.max_cost":{"a":"b"}`, `the setting "limits.max_cost" must be a string, a number, true or false, or a list of strings`},
		"a list that is none":    {`"permissions.ask":[]`, `"permissions.ask":[["a"]]`, `the setting "permissions.ask" must be a string`},
		"words of nobody":        {`"sessions":[` + "\n", `"sessions":[{"session":"s-nobody","runs":[],"transcript":[]},` + "\n", `session s-nobody has a transcript, but no record: export the session again`},
		"openings out of order":  {`"openings":[{"seq":1,`, `"openings":[{"seq":70,`, `one begins at record 61, after one at record 70`},
		"no UTF-8":               {`I start five agents.`, "I start \xff agents.", `it has bytes that are not UTF-8: copy or export it again`},
		"deep nesting":           {`"input":{"path":"refund.go"}`, `"input":` + strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000), `exceeded max depth`},
		"deep nesting of news":   {`"pawl":`, `"news":` + strings.Repeat(`{"a":`, 11_000) + `1` + strings.Repeat("}", 11_000) + `,"pawl":`, `lists and objects are nested more than 10000 deep`},
		"a comma too many":       {`"runs":[` + "\n", `"runs":[,` + "\n", `run 1: invalid character ',' looking for beginning of value: copy or export it again`},
		"two documents":          {"\n}\n", "\n}\n{}", `there is more after the end of the document: a file holds one session`},
		"a name of no end":       {`"pawl":"0.1.0"`, `"` + strings.Repeat("x", 9000) + `":1,"pawl":"0.1.0"`, `a name is longer than 200 bytes`},
		"an id of no end":        {`"id":"s-root"`, `"id":"` + strings.Repeat("x", 9000) + `"`, `session: the id of the session is longer than 200 bytes`},
		"what acts on a screen":  {`"event":"nudged"`, `"event":"\u001b[2J\u202e"`, `is not one of the events`},
	} {
		t.Run(name, func(t *testing.T) {
			broken := strings.Replace(whole, c.swap, c.by, 1)
			require.NotEqual(t, whole, broken)
			says := misreading(t, broken)
			require.Contains(t, says, c.says)
			require.Less(t, len(says), 600)
			require.NotContains(t, says, "\x1b")
		})
	}
}

// What stands where a document should.
func TestSaysThatAFileIsNoRecording(t *testing.T) {
	for document, says := range map[string]string{
		"":                     "it is empty: export the session again, as JSON",
		"\n \n":                "it is not JSON: name a file that pawl export --format json wrote",
		"# Pawl session\n":     "it is not JSON",
		"<!doctype html>":      "it is not JSON",
		"\x1f\x8b\x08":         "it is not JSON",
		`[]`:                   "it is JSON, but not a session that Pawl exported",
		`"pawl-session"`:       "it is JSON, but not a session",
		`{}`:                   "it is JSON, but not a session",
		`{"name":"x"}`:         "it is JSON, but not a session",
		"{\n\"a\":[1,{\n\"b\"": "line 3: a: it ends in the middle: copy or export it again",
	} {
		require.Contains(t, misreading(t, document), says, "%q", document)
	}
	folder := t.TempDir()
	_, err := Open(t.Context(), folder)
	require.EqualError(t, err, "read "+folder+": it is a folder: name the file that was exported")
	none := filepath.Join(folder, "none.json")
	_, err = Open(t.Context(), none)
	require.EqualError(t, err, "read "+none+": there is no such file")
}

// A document of which the end is missing is never taken for a whole one, wherever it was cut.
func TestSaysThatARecordingIsCut(t *testing.T) {
	s := exporttest.Plot(t)
	whole := exported(s, formats.JSON, 30)
	for length := 1; length < len(whole)-1; length += 211 {
		require.Contains(t, misreading(t, string(whole[:length])), "it ends in the middle: copy or export it again", "%d", length)
	}
}

// One value may be so long and no longer, whatever holds it.
func TestARecordingBoundsItsValues(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	whole := string(exported(exporttest.Plot(t), formats.JSON, 30))
	for name, document := range map[string]string{
		"a text":      strings.Replace(whole, "I start five agents.", long, 1),
		"a new thing": strings.Replace(whole, `"pawl":`, `"new":"`+long+`","pawl":`, 1),
		"white space": strings.Replace(whole, `"pawl":`, strings.Repeat(" ", 100_000)+`"pawl":`, 1),
		"a record":    strings.Replace(whole, `{"seq":5,`, `{`+strings.Repeat(" ", 100_000)+`"seq":5,`, 1),
	} {
		file, err := os.Open(kept(t, []byte(document)))
		require.NoError(t, err)
		_, err = load(t.Context(), &Recording{name: "long.json", file: file, size: int64(len(document)), close: file.Close, longest: 50_000})
		require.ErrorIs(t, err, errTooLong, name)
		require.Empty(t, misreading(t, document), name)
	}
}

// A list of things that nobody knows costs nothing, however long it is.
func TestARecordingPassesOverWhatItDoesNotKnow(t *testing.T) {
	s := exporttest.Plot(t)
	whole := exported(s, formats.JSON, s.Upto())
	newer := strings.Replace(string(whole), `"records":[`, `"weather":[`+strings.Repeat(`{"rain":[true,null,"x",1e3]},`, 5000)+`0],"records":[`, 1)
	newer = strings.Replace(newer, `{"seq":3,`, `{"mood":"good","seq":3,`, 1)
	newer = strings.Replace(newer, `"transcript":[`, `"colour":{"a":1,"a":2},"transcript":[`, 1)
	require.Equal(t, string(whole), string(again(t, reopened(t, []byte(newer)), formats.JSON)))
}

// The members of a document may stand in any order: some tools sort them.
func TestARecordingTakesItsMembersInAnyOrder(t *testing.T) {
	s := exporttest.Plot(t)
	whole := exported(s, formats.JSON, s.Upto())
	sorted := exporttest.EncodedBytes(t, exporttest.Parse(t, whole))
	require.NotEqual(t, whole, sorted)
	r := reopened(t, sorted)
	require.Equal(t, s.Upto(), r.Upto())
	require.Equal(t, string(unkept(s, formats.Markdown)), string(again(t, r, formats.Markdown)))
}

// A pipe is read to its end. Its copy has no name: nothing is left, whatever ends the program.
func TestARecordingComesThroughAPipe(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := exporttest.Plot(t)
	whole := exported(s, formats.JSON, s.Upto())
	from, to := io.Pipe()
	go func() {
		_, err := to.Write(whole)
		_ = to.CloseWithError(err)
	}()
	r, err := Read(t.Context(), from, "standard input")
	require.NoError(t, err)
	require.Equal(t, string(whole), string(again(t, r, formats.JSON)))
	files, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, files)
	require.NoError(t, r.Close())

	for in, says := range map[string]string{
		"":         "read standard input: it is empty: export the session again, as JSON",
		"\x00\x00": "read standard input: it is not JSON: name a file that pawl export --format json wrote",
		"{":        "read standard input: line 1: it ends in the middle: copy or export it again",
	} {
		_, err = Read(t.Context(), strings.NewReader(in), "standard input")
		require.EqualError(t, err, says)
	}
	files, err = os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, files)
}

// A file that is changed under a recording is found out, not believed.
func TestARecordingNoticesThatItsFileWasChanged(t *testing.T) {
	s := exporttest.Plot(t)
	whole := exported(s, formats.JSON, s.Upto())
	path := kept(t, whole)
	r, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer r.Close()
	changed := strings.Replace(string(whole), `{"seq":3,`, `{"seq":4,`, 1)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	_, err = r.Source().Records(t.Context(), exporttest.Root, 0, 10)
	require.ErrorIs(t, err, errChanged)
	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o600))
	_, err = r.Source().Records(t.Context(), exporttest.Root, 0, 10)
	require.ErrorContains(t, err, "it ends in the middle")
}

func TestOpeningARecordingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	_, err := Open(ctx, kept(t, exported(exporttest.Plot(t), formats.JSON, 5)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}
