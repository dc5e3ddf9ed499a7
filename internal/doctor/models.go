package doctor

import (
	"context"
	"fmt"
	"io"
	"log"
	"time"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/words"
)

const modelsTitle = "Models"

// examineModels reports which variables are set, never to what, which model a new session would
// get, and how each provider stands.
func (e *Examination) examineModels(ctx context.Context) {
	var findings []Finding
	for _, variable := range models.Variables() {
		if e.env(variable) != "" { // what else could be set stands beside each provider
			findings = append(findings, Finding{Name: variable, Level: levelOK, Says: "set", Value: true})
		}
	}
	if err := base.Keys(e.folders).Trouble(); err != nil {
		findings = append(findings, Finding{Name: "kept keys", Level: levelProblem, Says: err.Error()})
	}
	last := ""
	if e.store != nil {
		last, _ = e.store.LastModel(ctx) // the database section reports its error
	}
	used := e.modelInUse(last)
	findings = append(findings, used)
	model, _ := used.Value.(string)
	if used.Level != levelProblem && model != models.Demo {
		findings = append(findings, e.knownOf(model))
	}
	e.add(modelsTitle, append(findings, e.providersOf(ctx, model)...)...)
}

func (e *Examination) knownOf(model string) Finding {
	o := e.Models.NewRow(model, e.Models.Info(model), model)
	says := "context " + models.TokenCount(o.Context)
	if o.Context == 0 {
		says = "context not known"
	}
	found := Finding{Name: "known", Level: levelOK, Says: says + "; " + o.Price(), Value: o}
	if o.Context == 0 || o.Prices == nil && !o.Free {
		found.Level, found.Do = levelNote, fmt.Sprintf("say it in config.toml, under [models.%q]", model)
	}
	return found
}

// serverLimit is how long a server may take to answer.
const serverLimit = 5 * time.Second

// providersOf lists the providers, each with its kind, its address and where its key comes from,
// and asks those that can be asked for their models. A failure of the server of the model in use
// is a problem, of another a note.
func (e *Examination) providersOf(ctx context.Context, inUse string) []Finding {
	asked := map[string]models.Listing{}
	if !e.offline {
		log.SetOutput(io.Discard) // net/http would write to standard error
		for _, l := range e.Models.List(ctx, e.Models.Servers(inUse), serverLimit) {
			asked[l.Provider.Name] = l
		}
	}
	var findings []Finding
	for _, p := range e.Models.Providers() {
		found := Finding{Name: p.Name, Level: levelInfo, More: e.aboutProvider(p)}
		l, ok := asked[p.Name]
		switch {
		case ok:
			found = answered(l, found, inUse)
		case e.Models.Lacks(p) != "":
			found.Says = p.ToDo()
			if p.Secret {
				found.Says = "no key: " + found.Says
			}
			if !p.BuiltIn { // the user has named it, and meant to use it
				found.Level, found.Says, found.Do = levelNote, "no key", p.ToDo()
			}
		case e.offline:
			found.Says = "not asked (--offline)"
		default:
			found.Says = "not asked: it is the same server as openai and openai-chat"
		}
		findings = append(findings, found)
	}
	return findings
}

// aboutProvider says what it is and where its key comes from, never the key.
func (e *Examination) aboutProvider(p models.Provider) []string {
	if p.BuiltIn && e.Models.Lacks(p) != "" && e.Models.Usual(p) {
		return nil // there is no more to it than its name
	}
	line := p.Kind + ", " + e.Models.Place(p)
	if from := e.Models.KeyFrom(p); from != "" && e.Models.Lacks(p) == "" {
		line += "; key: " + from
	}
	return []string{line}
}

// answered is what a server said that was asked.
func answered(l models.Listing, found Finding, inUse string) Finding {
	used, name := agent.SplitModel(inUse)
	found.Level = levelOK
	switch {
	case l.Err == nil:
		found.Says, found.Value = "it answers, with "+words.Count(len(l.Offers), "model"), len(l.Offers)
		if l.Provider.Name == used && !l.Has(name) {
			found.Level, found.Do = levelNote, fmt.Sprintf("%s is not one of them; pawl models lists them", name)
			found.Next = fmt.Sprintf("name a model of %s that is there (pawl models lists them), for it has no %s", l.Provider.Name, name)
		}
	case l.Reached() && !l.Refused():
		found.Level, found.Says, found.Do = levelNote, "it answers, but gives no list of models: "+l.Says(), l.Do()
	case l.Provider.Name == used:
		found.Level, found.Says, found.Do = levelProblem, l.Says(), l.Do()
		found.Next = l.Do() + ", for " + l.Provider.Name + ": " + l.Says()
	default:
		found.Level, found.Says, found.Do = levelNote, l.Says(), l.Do()
	}
	return found
}

func (e *Examination) modelInUse(last string) Finding {
	model, _ := e.Models.Choose("", e.settings.Model, last)
	why := "the first that has a key"
	switch model {
	case e.settings.Model:
		why = "the setting"
	case models.Demo:
		why = "a script, only on the screen: no key is set"
	case last:
		why = "the last used"
	}
	found := Finding{Name: "in use", Level: levelOK, Says: fmt.Sprintf("%s (%s)", model, why), Value: model}
	if err := e.Models.Check(model); err != nil {
		found.Level, found.Says, found.Do = levelProblem, err.Error(), "name another in the model setting"
		found.Next = fmt.Sprintf("name another model in the model setting (pawl models lists them): %q is not one of them", model)
		return found
	}
	if missing := e.Models.Missing(model); missing != "" {
		_, p, _ := e.Models.Find(model)
		found.Level = levelProblem
		found.Says = fmt.Sprintf("%s needs %s, which is not set", model, missing)
		found.Do = p.ToDo() + ", or name another in the model setting"
		found.Next = fmt.Sprintf("%s, for %s cannot be asked without", p.ToDo(), model)
	} else if model == models.Demo && e.settings.Model != models.Demo {
		found.Level, found.Do = levelNote, "set a key such as ANTHROPIC_API_KEY for a model, or run pawl login NAME"
		found.Next = "run pawl login anthropic (or openai, gemini), for no provider has a key and pawl would play its demo"
		if !e.Models.Keyless() {
			found.Next = "name a model in the model setting (pawl models lists them), for pawl would play its demo"
		}
	}
	return found
}
