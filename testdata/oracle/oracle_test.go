package oracle

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sent is a request as a server sees it, in a golden file and of a library.
type sent struct {
	URL    string            `json:"url"`
	Header map[string]string `json:"header"`
	Body   map[string]any    `json:"body"`
}

// recorder is a server that keeps what it is asked and answers nothing.
type recorder struct {
	sent sent
	err  error
}

var errRecorded = errors.New("recorded")

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.sent = sent{URL: req.URL.RequestURI(), Header: map[string]string{}}
	for name, values := range req.Header {
		r.sent.Header[name] = strings.Join(values, ",")
	}
	var body []byte
	if body, r.err = io.ReadAll(req.Body); r.err == nil {
		r.err = json.Unmarshal(body, &r.sent.Body)
	}
	return nil, errRecorded
}

// hold asks each question through a maker's library and compares what went out with
// what Pawl sends. ask gets what Pawl sends too, for the keys in it that are Pawl's to
// choose.
func hold[Q any](t *testing.T, provider string, questions map[string]Q, ask func(client *http.Client, pawl sent, question Q) error) {
	file, err := os.ReadFile("../../agent/" + provider + "/testdata/sent.json")
	require.NoError(t, err)
	var golden map[string]sent
	require.NoError(t, json.Unmarshal(file, &golden))
	require.ElementsMatch(t, slices.Collect(maps.Keys(golden)), slices.Collect(maps.Keys(questions)), "each question is asked on both sides")
	for name, pawl := range golden {
		t.Run(name, func(t *testing.T) {
			var r recorder
			require.ErrorContains(t, ask(&http.Client{Transport: &r}, pawl, questions[name]), errRecorded.Error())
			require.NoError(t, r.err)
			require.Equal(t, r.sent.URL, pawl.URL)
			require.Equal(t, r.sent.Body, pawl.Body)
			for name, value := range pawl.Header {
				require.Equal(t, r.sent.Header[name], value, name)
			}
			require.Equal(t, r.sent.Header["Anthropic-Beta"], pawl.Header["Anthropic-Beta"])
		})
	}
}

// What the questions are made of, as agent/wire/wiretest has them.
const (
	look   = "Look at <this> & “that”."
	odd    = "{\"_invalid\":\"{\\\"path\\\": oops\"}"
	large  = `{"path": "src/<ä>.go", "n": 12345678901234567890}`
	deep   = `{"deep":{"list":[1,2.50,null,true]}}`
	alone  = `{"e":"�!","n":12345678901234567890}`
	schema = `{"type":"object","properties":{"n":{"type":"integer","maximum":60000,"default":1.5},"kind":{"enum":["a","b"]},"to":{"$ref":"#/$defs/to"}},"required":["n"],"additionalProperties":false,"$defs":{"to":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`
	system = "You are Pawl.\nBe <brief>."
	noTIFF = "[an image of type image/tiff was left out: it cannot be shown to this model]"
	noPNG  = "[an image of type image/png was left out: it cannot be shown to this model]"
	noGIF  = "[an image of type image/gif was left out: it cannot be shown to this model]"
	seen   = "c2Vlbg=="
	hidden = "aGlkZGVu"
	ofText = "b2YgdGhlIHRleHQ="
	ofCall = "b2YgdGhlIGNhbGw="
	aGo    = `{"path":"a.go"}`
)

var (
	longID   = strings.Repeat("x", 65)
	longName = strings.Repeat("n", 130)
)

func object(text string) map[string]any {
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		panic(err)
	}
	return fields
}
