package tools

import (
	"context"
	"fmt"
	"time"

	"pawl/agent"
	"pawl/internal/words"
)

// Resources finds what a name stands for that is no file, such as SERVER:ADDRESS of an MCP server;
// false if nothing. read gives it with what it is in a few words, or says in one line why not.
type Resources func(name string) (read func(context.Context) (agent.Result, string, error), ok bool)

// resourcesLimit is how long all resources of one message may take.
const resourcesLimit = 30 * time.Second

// resource is one that a message names.
type resource struct {
	name string
	read func(context.Context) (agent.Result, string, error)
}

// resourceOf finds what a mention stands for: the whole word or, if nobody knows that, what it is
// without the end of a sentence.
func resourceOf(all []Resources, m agent.Mention) *resource {
	if !m.Elsewhere() {
		return nil
	}
	for _, find := range all {
		if read, ok := find(m.Bare()); ok {
			return &resource{m.Bare(), read}
		}
	}
	return nil
}

// addResource attaches one. typed says that a person has written its name: nothing is asked of a
// server because of a text that was pasted.
func (g *attaching) addResource(r resource, typed bool) {
	err := g.full(r.name)
	if err == nil && !typed {
		err = fmt.Errorf("%s was not typed, and pasted or piped text asks no server for anything: type it", words.Path(r.name))
	}
	if err != nil {
		g.leave(r.name, err)
		return
	}
	if g.asking == nil {
		ctx, cancel := context.WithTimeout(g.ctx, resourcesLimit)
		context.AfterFunc(g.ctx, cancel)
		g.asking = ctx
	}
	result, note, err := r.read(g.asking)
	if err != nil {
		g.leave(r.name, err)
		return
	}
	g.keepResource(r.name, note, result)
}

// keepResource keeps what there is room for.
func (g *attaching) keepResource(name, note string, result agent.Result) {
	if len(result.Text) > g.chars {
		result.Text = words.CutBytes(result.Text, g.chars)
		note += ", cut"
	}
	size := 0
	for _, picture := range result.Images {
		size += len(picture.Data)
	}
	if size > g.bytes {
		g.leave(name, fmt.Errorf("%s does not fit with the other pictures, which may have %s in all: send it with another message", words.Path(name), words.Size(attachPictures)))
		return
	}
	if len(result.Images) > 0 && !g.sees {
		note += ", and the model does not take pictures"
	}
	g.keep(name, note, result)
}
