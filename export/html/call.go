package html

import (
	"cmp"
	"encoding/json"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// call writes a tool call in one line that opens: its input, the diff that it made
// and its result; and leads to the runs that stand on it.
func (t *transcript) call(piece book.Part) {
	answer, answered := t.answerTo(piece.Call)
	class, word := markup("call"), ""
	switch {
	case !answered:
		word = "no result"
	case answer.IsError:
		class, word = "call bad", "error"
	}
	input := string(t.Mask.JSON(nil, piece.Input))
	t.put("<details class=\"%s\"%s><summary><b>%s</b> <code>%s</code>", class, t.place(callAnchor(t.id, piece.Call)), words.CutLine(piece.Name, book.LongCell), words.CutLine(cmp.Or(t.Called(piece.Input), gist(input)), book.LongLine))
	if word != "" {
		t.put(" <em>%s</em>", word)
	}
	begun := t.Calls[book.Caller{Session: t.id, Call: piece.Call}]
	for _, started := range begun {
		t.callAt[book.Caller{Session: t.id, Call: piece.Call}] = true
		run, _ := t.Run(started)
		t.put(" → %s %s", t.Name(started), t.chip(run.State))
	}
	t.put("</summary>\n<pre class=\"input\">%s</pre>\n", indented(input))
	if diff, made := t.line.diffs.of[book.Caller{Session: t.id, Call: piece.Call}]; made {
		t.diff(diff.Path, diff.Diff)
	}
	if answered {
		t.result(answer)
	}
	t.put("</details>\n")
	t.links(begun)
}

// links are those to what a call has started. They stand below it: a summary that
// opens and a link in it are one target too many for keys and for readers of the screen.
func (t *transcript) links(runs []lifecycle.RunID) {
	if len(runs) == 0 {
		return
	}
	t.put("<p class=\"leads\">")
	for _, run := range runs {
		t.put("→ %s ", t.runLink(run))
	}
	t.put("</p>\n")
}

// answerTo is the result of a call of the answer that is written: the first behind it
// that stands with no other call.
func (t *transcript) answerTo(call lifecycle.CallID) (book.Part, bool) {
	for at, m := range t.held {
		if t.shown[at] {
			continue
		}
		for _, piece := range m.Parts {
			if piece.Type == book.PartResult && piece.Call == call {
				t.shown[at] = true
				return piece, true
			}
		}
	}
	return book.Part{}, false
}

func (t *transcript) result(piece book.Part) {
	word := "Result"
	if piece.IsError {
		word = "Error"
	}
	t.put("<details class=\"result\" open><summary>%s of %s, %s</summary><pre tabindex=\"0\">%s</pre></details>\n", word, words.CutLine(piece.Name, book.LongCell), words.CountGrouped(words.Lines(piece.Text), "line"), piece.Text)
	t.pictures(piece.Images)
	for _, one := range piece.Instructions {
		if one.Text == "" {
			t.put("<p class=\"note\">With it: %s</p>", one.Words())
			continue
		}
		t.fold("attached", "With it: "+one.Words(), one.Text)
	}
}

// gist is what a call is about in one line: the one argument that says most, or
// all of them.
func gist(input string) string {
	var value any
	_ = json.Unmarshal([]byte(input), &value) // what is no JSON is its own gist
	switch v := value.(type) {
	case string: // the model wrote no JSON
		return v
	case map[string]any:
		for _, name := range []string{"command", "description", "path", "pattern", "url", "query", "agent_id"} {
			if text, is := v[name].(string); is && text != "" {
				return text
			}
		}
	}
	return book.Unescape.Replace(input)
}

// indented is an input as people read it: a line a field, and texts without the
// escapes that are there for programs alone.
func indented(input string) string {
	var value any
	if json.Unmarshal([]byte(input), &value) != nil {
		return book.Unescape.Replace(input)
	}
	if text, is := value.(string); is { // the model wrote no JSON
		return text
	}
	lines, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic("export: write JSON that was read: " + err.Error())
	}
	return book.Unescape.Replace(string(lines))
}

func lineClass(line string) markup {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "\\"):
		return "file"
	case strings.HasPrefix(line, "@@"):
		return "hunk"
	case strings.HasPrefix(line, "+"):
		return "added"
	case strings.HasPrefix(line, "-"):
		return "removed"
	}
	return "same"
}
