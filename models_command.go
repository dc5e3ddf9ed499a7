package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/store"
)

// listLimit is how long a server may take to list its models.
const listLimit = 10 * time.Second

// modelsCommand is pawl models. What it prints of a model is what Pawl goes by; the
// server's own word stands where nothing is known.
//
//	settings ─► servers, asked side by side ─► rows: names of theirs, traits of ours ─► table, lines or JSON
type modelsCommand struct {
	Filter string `arg:"" optional:"" help:"Only those with this in their name."`
	All    bool   `help:"Also those that, by their names, write no text."`
	JSON   bool   `name:"json" help:"For programs: one JSON object."`
}

func (c *modelsCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (code int, err error) {
	b, err := base.New(*w)
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	inUse, _ := b.Models.Choose("", b.Settings.Model, lastModel(ctx, b))
	asked := b.Models.List(ctx, b.Models.Servers(inUse), listLimit)
	found := catalogOf(b.Models, asked, inUse, c)
	if len(found.Failed) > 0 && len(found.Failed) == len(asked) {
		code = host.ExitError
	}
	if c.JSON {
		return code, b.Models.Hide().Encode(w.Out, found)
	}
	return code, found.print(*w, c)
}

// lastModel is the model that was used last, if the database is there and tells.
func lastModel(ctx context.Context, b *base.Base) string {
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err != nil {
		return ""
	}
	defer opened.Close()             //nolint:errcheck // it was only read
	last, _ := opened.LastModel(ctx) // what is wrong with the database is doctor's to say
	return last
}

// catalog is what pawl models prints.
type catalog struct {
	Models []offered `json:"models"`
	Failed []failed  `json:"failed"` // providers that could not be asked
	Unset  []string  `json:"unset"`  // variables that would open others

	asked  int // servers
	hidden int // models that write no text
}

// failed is a provider that could not be asked, and what to do.
type failed struct {
	Provider string `json:"provider"`
	Says     string `json:"says"`
	Do       string `json:"do"`
}

// catalog joins what the servers offer with what is known. Without any server it
// lists what is built in.
func catalogOf(m *models.Set, asked []models.Listing, inUse string, c *modelsCommand) catalog {
	found := catalog{Models: []offered{}, Failed: []failed{}, Unset: []string{}, asked: len(asked)}
	for _, maker := range models.Makers() {
		if m.Env(maker.Variable) == "" && !slices.Contains(found.Unset, maker.Variable) {
			found.Unset = append(found.Unset, maker.Variable)
		}
	}
	keep := func(model string, offer agent.Offer) {
		if !strings.Contains(strings.ToLower(model), strings.ToLower(c.Filter)) {
			return
		}
		if !c.All && !writes(offer.Name) && model != inUse {
			found.hidden++
			return
		}
		found.Models = append(found.Models, offeredAs(model, m.Traits(model).Fill(offer), inUse))
	}
	for _, l := range asked {
		if l.Err != nil {
			found.Failed = append(found.Failed, failed{l.Maker.Name, l.Says(), l.Do()})
			continue
		}
		for _, offer := range l.Offers {
			keep(l.Maker.Name+"/"+offer.Name, offer)
		}
	}
	if len(asked) == 0 {
		for _, name := range agent.Known() {
			keep(makerOf(name)+"/"+name, agent.Offer{Name: name})
		}
	}
	keep(models.Demo, agent.Offer{Name: models.Demo})
	return found
}

// makerOf is the provider of a model that is built in.
func makerOf(name string) string {
	switch {
	case strings.HasPrefix(name, "claude-"):
		return "anthropic"
	case strings.HasPrefix(name, "gemini-"):
		return "gemini"
	}
	return "openai"
}

// writes says whether a model answers in text, as far as its name tells: OpenAI's
// list says nothing else of what a model is for.
func writes(name string) bool {
	for _, kind := range []string{
		"embed", "whisper", "tts", "dall-e", "image", "moderation", "realtime", "audio", "transcribe", "sora", "-live", "babbage", "davinci", "rerank",
	} {
		if strings.Contains(name, kind) {
			return false
		}
	}
	return true
}

// explained words what could not be asked.
func (f failed) explained() string {
	return fmt.Sprintf("%s cannot be asked: %s; %s", f.Provider, f.Says, f.Do)
}
