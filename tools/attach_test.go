package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// drawing is a picture of this size, as a file.
func drawing(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.String()
}

// noted lists attachments by what people are told of them.
func noted(all []lifecycle.Enclosure) []string {
	var lines []string
	for _, one := range all {
		line := one.Name + ": " + one.Note
		if one.Left {
			line = "left " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// given is the message that a model gets with what it names.
func given(t *testing.T, text string, all []lifecycle.Enclosure) agent.Message {
	t.Helper()
	body, err := json.Marshal(lifecycle.Said{From: lifecycle.FromUser, Text: text, Attached: all})
	require.NoError(t, err)
	m, err := agent.DecodeEntry(lifecycle.Entry{Kind: lifecycle.EntryUser, Body: body})
	require.NoError(t, err)
	return m
}

func TestAMessageBringsAlongWhatItNames(t *testing.T) {
	w := plant(t, "-- refund.go --\npackage shop\n\nfunc Refund() {}\n-- a b/note.md --\nhi\n-- empty --\n")
	put(t, w.Folder(), "shot.png", drawing(t, 640, 480))
	text := `Compare @refund.go, (@shot.png) and @"a b/note.md" in @"a b"; mind @empty and @refund.go.`
	all := Attach(t.Context(), w, text, agent.Reach(text), true)
	require.Equal(t, []string{"refund.go: 3 lines", "shot.png: image 640×480", "a b/note.md: 1 line", "a b: folder, 1 entry", "empty: empty"}, noted(all))
	require.Equal(t, "shot.png: image 640×480, and the model does not take pictures", noted(Attach(t.Context(), w, text, agent.Reach(text), false))[1])
	m := given(t, text, all)
	require.Equal(t, text, m.Parts[0].Text)
	require.Equal(t, "<attached path=\"refund.go\">\n     1\tpackage shop\n     2\t\n     3\tfunc Refund() {}\n</attached>", m.Parts[1].Text)
	require.Equal(t, agent.Image{MediaType: "image/png", Data: []byte(drawing(t, 640, 480))}, *m.Parts[3].Image)
	require.Contains(t, m.Parts[5].Text, "note.md")
	done(t, Edit(w), args{"path": "refund.go", "edits": []args{{"old": "package shop", "new": "package till"}}}) // it has been seen
}

func TestWordsThatOnlyLookLikeNamesStayText(t *testing.T) {
	w := plant(t, "-- src/a.go --\nx\n")
	require.Empty(t, Attach(t.Context(), w, "Mind @param, @types/node, @app.route(\"/x\"), me@src, @/nowhere/at.all, @../neither, @, @\x00 and @"+strings.Repeat("long", 2000), nil, true))
}

func TestWhatCannotBeAttachedIsSaid(t *testing.T) {
	w := plant(t, "-- src/a.go --\nx\n-- vault/key --\nsecret\n")
	elsewhere := outside(t)
	put(t, elsewhere, "notes.txt", "private")
	put(t, w.Folder(), "data.bin", "\x7fELF\x00\x00")
	put(t, w.Folder(), "big.png", "\x89PNG\x0D\x0A\x1A\x0A"+strings.Repeat("x", maxPicture))
	require.NoError(t, os.Symlink(elsewhere+"/notes.txt", w.Folder()+"/out"))
	w.Readable = func(path string) error {
		if path == "vault/key" {
			return errors.New(path + " is not to be read: the user's rule denies it")
		}
		return nil
	}
	text := fmt.Sprintf(`@data.bin @big.png @out @vault/key @src/gone.go @"gone too" @%s/notes.txt`, elsewhere)
	all := Attach(t.Context(), w, text, agent.Reach(text), true)
	require.Len(t, all, 7)
	for i, words := range []string{
		"data.bin is binary", "big.png is a picture (image/png) of 5.0 MB", "leads outside the folder", "not to be read: the user's rule denies it",
		"src/gone.go does not exist", "gone too does not exist", "outside the folder, and only pictures are attached from there",
	} {
		require.True(t, all[i].Left)
		require.Contains(t, all[i].Note, words)
		require.Empty(t, all[i].Body)
	}
	m := given(t, text, all)
	require.Len(t, m.Parts, 8)
	require.Equal(t, "[@src/gone.go is not attached: "+all[4].Note+"]", m.Parts[5].Text)
	require.NotContains(t, m.Text(), "secret")
	require.NotContains(t, m.Text(), "private")
}

func TestAPictureFromOutsideIsAttachedUnlessItIsDenied(t *testing.T) {
	w := plant(t, "")
	elsewhere := outside(t)
	put(t, elsewhere, "shot.png", drawing(t, 3, 4))
	put(t, elsewhere, "fake.png", "is not a picture")
	require.NoError(t, os.Symlink("/etc/passwd", elsewhere+"/link.png"))
	message := fmt.Sprintf("@%[1]s/shot.png @%[1]s/fake.png @%[1]s/link.png", elsewhere)
	all := Attach(t.Context(), w, message, agent.Reach(message), true)
	require.Equal(t, elsewhere+"/shot.png: image 3×4", noted(all)[0])
	require.Contains(t, noted(all)[1], "is not a picture")
	require.Contains(t, noted(all)[2], "leads outside")
	real, err := filepath.EvalSymlinks(elsewhere)
	require.NoError(t, err)
	w.Readable = func(path string) error { return errors.New(path + " is denied") }
	require.Contains(t, noted(Attach(t.Context(), w, message, agent.Reach(message), true))[0], real+"/shot.png is denied")
}

func TestOutsideTheFolderOnlyWhatAPersonNamedInFullIsAttached(t *testing.T) {
	w := plant(t, "-- here.go --\nx\n")
	elsewhere := outside(t)
	t.Setenv("HOME", elsewhere)
	put(t, elsewhere, "shot.png", drawing(t, 3, 4))
	far, err := filepath.Rel(w.Folder(), elsewhere)
	require.NoError(t, err)
	text := fmt.Sprintf("see @~/shot.png, @%s/shot.png. and @%s/shot.png", elsewhere, far)
	all := Attach(t.Context(), w, text, agent.Reach(text), true)
	require.Equal(t, elsewhere+"/shot.png: image 3×4", noted(all)[0])
	require.Len(t, all, 2, "twice the same")
	require.Contains(t, noted(all)[1], "left "+far, "a path that leads out is not named in full")
	for _, one := range Attach(t.Context(), w, text, nil, true) { // as in a paste
		require.True(t, one.Left)
		require.Contains(t, one.Note, "pasted or piped text cannot attach files from there")
	}
	t.Setenv("HOME", w.Folder())
	require.Equal(t, []string{w.Folder() + "/here.go: 1 line"}, noted(Attach(t.Context(), w, "@~/here.go", nil, true)), "in the folder after all")
}

func TestWhatOneMessageBringsAlongIsBounded(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "long", strings.Repeat(strings.Repeat("x", 99)+"\n", 3000))
	all := Attach(t.Context(), w, "@long @./long @././long @./././long @././././long", nil, true)
	require.Equal(t, "long: lines 1-934 of 3000", noted(all)[0])
	require.Contains(t, string(all[0].Body), "go on with offset 935")
	require.Contains(t, noted(all)[3], "does not fit")
	var many []string
	for i := range attachMost + 2 {
		name := fmt.Sprintf("f%d", i)
		put(t, w.Folder(), name, "x")
		many = append(many, "@"+name)
	}
	all = Attach(t.Context(), w, strings.Join(many, " "), nil, true)
	require.Equal(t, "f19: 1 line", noted(all)[19])
	require.Contains(t, noted(all)[20], "after the first 20 files")
}

func TestAttachEndsWithItsContext(t *testing.T) {
	w := plant(t, "-- a --\nx\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, []string{"left a: a was not read: the run was stopped"}, noted(Attach(ctx, w, "@a", nil, true)))
}

func TestWhatAServerHasIsAttachedIfItWasTyped(t *testing.T) {
	w := plant(t, "-- own:here --\na file\n")
	read := 0
	find := func(name string) (func(context.Context) (agent.Result, string, error), bool) {
		server, address, _ := strings.Cut(name, ":")
		return func(context.Context) (agent.Result, string, error) {
			read++
			switch address {
			case "down":
				return agent.Result{}, "", errors.New("the MCP server own is down")
			case "picture":
				return agent.Result{Text: "[a picture]", Images: []agent.Image{{MediaType: "image/png", Data: []byte("x")}}}, "1 picture", nil
			case "huge":
				return agent.Result{Text: strings.Repeat("x", 2*attachAll)}, "1 line", nil
			}
			return agent.Result{Text: "text of " + address}, "1 line", nil
		}, server == "own"
	}
	const text = `See @own:note:///one, @"own:a b", @own:down, (@own:picture) and @own:here; @other:x @own:`
	all := Attach(t.Context(), w, text, agent.Reach(text), false, find)
	require.Equal(t, []string{
		"own:note:///one: 1 line", "own:a b: 1 line", "left own:down: the MCP server own is down", "own:picture: 1 picture, and the model does not take pictures", "own:here: 1 line",
	}, noted(all))
	require.Contains(t, string(all[0].Body), "text of note:///one")
	require.Contains(t, string(all[4].Body), "a file", "a file goes first")
	require.Equal(t, 4, read)

	pasted := Attach(t.Context(), w, text, nil, true, find)
	require.Equal(t, "left own:note:///one: own:note:///one was not typed, and pasted or piped text asks no server for anything: type it", noted(pasted)[0])
	require.Equal(t, 4, read)
	const huge = "@own:huge @own:more"
	all = Attach(t.Context(), w, huge, agent.Reach(huge), true, find)
	require.Equal(t, "own:huge: 1 line, cut", noted(all)[0])
	require.Contains(t, noted(all)[1], "does not fit after")
}
