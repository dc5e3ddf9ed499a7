package tools

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/workspace"
)

// Bounds of what one message brings along. A file is shown as read shows it, and
// further down, for a person has asked for all of it: some 25,000 tokens of one, and
// of all of them less than half of what the smaller models take.
const (
	attachMost     = 20       // things
	attachChars    = 100_000  // of one text
	attachAll      = 300_000  // of all texts
	attachPictures = 15 << 20 // bytes of all pictures; servers take some 30 MB in all
)

// Attach reads from a workspace what a person's message names, in its order: a text, a picture or a
// folder. What is there and cannot be attached comes with the reason; a word that
// only looks like a name is passed over. Of what is outside the folder it takes
// pictures alone, which is what people drop on a terminal, and only where reach has
// their mention, as of lifecycle.Message: the rest of a message may have been copied
// from anywhere. sees says whether the model takes pictures: one that does not is told
// of them. What resources know, and no file has the name of, is read from there, only
// where reach has it too.
func Attach(ctx context.Context, w *workspace.Workspace, message string, reach []string, sees bool, resources ...Resources) []lifecycle.Enclosure {
	g := attaching{w: w, ctx: ctx, sees: sees, chars: attachAll, bytes: attachPictures}
	seen := map[string]bool{}
	for _, mention := range agent.Mentions(message) {
		name, ok := meant(w, mention)
		if found := resourceOf(resources, mention); found != nil && !w.Stands(name) {
			if !seen[found.name] {
				seen[found.name] = true
				g.addResource(*found, slices.Contains(reach, mention.Name))
			}
			continue
		}
		if ok && !seen[name] {
			seen[name] = true
			g.add(name, slices.Contains(reach, mention.Name))
		}
	}
	return g.all
}

// meant is the name that a mention is taken for: the whole word if that is there, or
// what it is without the end of a sentence. One where nothing is was still meant as
// a name if it is quoted, or if its folder is there.
func meant(w *workspace.Workspace, m agent.Mention) (string, bool) {
	for _, name := range []string{m.Name, fromHome(m.Name), m.Bare(), fromHome(m.Bare())} {
		if w.Stands(name) {
			return name, true
		}
	}
	dir, ok := w.Inside(path.Dir(m.Bare()))
	return m.Bare(), m.Quoted || ok && dir != "." && w.Stands(dir)
}

// fromHome is the path of a name that begins with the home folder, as shells write
// it; empty where it does not.
func fromHome(name string) string {
	rest, ok := strings.CutPrefix(name, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return ""
	}
	return filepath.Join(home, rest)
}

// attaching is what one message brings along, as it grows.
type attaching struct {
	w            *workspace.Workspace
	ctx          context.Context // of the one message
	asking       context.Context // of all its resources; nil: none was asked for
	all          []lifecycle.Enclosure
	sees         bool
	chars, bytes int // that are left
}

// add attaches one of them. far says that it may be outside the folder.
func (g *attaching) add(name string, far bool) {
	result, note, err := g.read(name, far)
	if err != nil {
		g.leave(name, err)
		return
	}
	g.keep(name, note, result)
}

// keep adds what was read.
func (g *attaching) keep(name, note string, result agent.Result) {
	text := fmt.Sprintf("<attached path=%q>\n%s\n</attached>", name, strings.TrimSuffix(result.Text, "\n"))
	g.chars -= len(text)
	for _, picture := range result.Images {
		g.bytes -= len(picture.Data)
	}
	body := agent.Attached{Text: text, Images: result.Images}.Encode()
	g.all = append(g.all, lifecycle.Enclosure{Attachment: lifecycle.Attachment{Name: name, Note: note}, Body: body})
}

// leave adds what is there and is not attached.
func (g *attaching) leave(name string, why error) {
	g.all = append(g.all, lifecycle.Enclosure{Attachment: lifecycle.Attachment{Name: name, Note: words.CutLine(why.Error(), 300), Left: true}})
}

// full says why no more is attached; nil while there is room.
func (g *attaching) full(name string) error {
	switch {
	case g.ctx.Err() != nil:
		return fmt.Errorf("%s was not read: the run was stopped", words.Path(name))
	case len(g.all) >= attachMost:
		return fmt.Errorf("%s comes after the first %d files that the message names: send it with another message", words.Path(name), attachMost)
	case g.chars < readLine:
		return fmt.Errorf("%s does not fit after the %d characters before it: send it with another message", words.Path(name), attachAll-g.chars)
	}
	return nil
}

// read gives what a name stands for, and what that is in a few words.
func (g *attaching) read(name string, far bool) (agent.Result, string, error) {
	if err := g.full(name); err != nil {
		return agent.Result{}, "", err
	}
	if kept := g.w.ForReading(name); kept == g.w {
		if _, ok := g.w.Inside(name); !ok {
			return g.readOutside(name, far)
		}
		at, err := g.w.Locate(name)
		if err != nil {
			return agent.Result{}, "", err
		}
		if info, err := g.w.Lstat(at); err == nil && info.IsDir() {
			result, err := listFolder(g.ctx, g.w, listInput{Path: name})
			view, _ := result.View.(agent.ListingView)
			return result, "folder, " + words.Count(view.Total, "entry"), err
		}
	}
	return g.show(g.w, name)
}

func (g *attaching) show(w *workspace.Workspace, name string) (agent.Result, string, error) {
	page := newPage(1, 0)
	page.most = min(attachChars, g.chars)
	result, err := readFile(g.ctx, w, name, page)
	switch {
	case err != nil:
		return agent.Result{}, "", err
	case len(result.Images) > 0:
		shown := result.Images[0]
		if len(shown.Data) > g.bytes {
			return agent.Result{}, "", fmt.Errorf("%s does not fit with the other pictures, which may have %s in all: send it with another message", words.Path(name), words.Size(attachPictures))
		}
		note := "image " + measured(shown)
		if !g.sees {
			note += ", and the model does not take pictures"
		}
		return result, note, nil
	case page.total == 0:
		return result, "empty", nil
	case page.shown < page.total:
		return result, fmt.Sprintf("lines 1-%d of %d", page.shown, page.total), nil
	}
	return result, words.Count(page.total, "line"), nil
}

// readOutside reads a picture that is outside the folder, by way of its own. What the
// user's rules say is asked of the place where it truly is.
func (g *attaching) readOutside(name string, far bool) (agent.Result, string, error) {
	full := g.w.Absolute(name)
	switch strings.ToLower(filepath.Ext(full)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
	default:
		return agent.Result{}, "", fmt.Errorf("%s is outside the folder, and only pictures are attached from there: paste the part that matters, or start Pawl there", words.Path(name))
	}
	if !far {
		return agent.Result{}, "", fmt.Errorf("%s is outside the folder, and pasted or piped text cannot attach files from there: drop the picture on the terminal, or type its full path", words.Path(name))
	}
	there, err := g.w.Beside(filepath.Dir(full))
	if err != nil {
		return agent.Result{}, "", err
	}
	defer func() { _ = there.Close() }() // nothing was written by way of it
	result, note, err := g.show(there, full)
	if err == nil && len(result.Images) == 0 {
		return agent.Result{}, "", fmt.Errorf("%s is outside the folder and is not a picture", words.Path(name))
	}
	return result, note, err
}

// measured is how large a picture is: in pixels or, of a sort that is not measured,
// in bytes.
func measured(shown agent.Image) string {
	if width, height := shown.Pixels(); width > 0 {
		return fmt.Sprintf("%d×%d", width, height)
	}
	return words.Size(int64(len(shown.Data)))
}
