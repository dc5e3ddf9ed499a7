package doctor

import (
	"context"
	"fmt"
	"io"
	"log"
	"time"

	"pawl/agent"
	"pawl/internal/models"
	"pawl/internal/words"
)

// examineModels reports which variables are set, never to what, and which model a new session
// would get.
func (e *Examination) examineModels(ctx context.Context) {
	var findings []Finding
	for _, variable := range models.Variables() {
		found := Finding{Name: variable, Level: levelInfo, Says: "not set", Value: false}
		if e.env(variable) != "" {
			found.Level, found.Says, found.Value = levelOK, "set", true
		}
		findings = append(findings, found)
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
	e.add("Models", append(findings, e.makersOf(ctx, model)...)...)
}

func (e *Examination) knownOf(model string) Finding {
	o := models.NewRow(model, e.Models.Info(model), model)
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

// makersOf asks each server whose variable is set for its models. A failure of the server of the
// model in use is a problem, of another a note.
func (e *Examination) makersOf(ctx context.Context, inUse string) []Finding {
	asked := e.Models.Servers(inUse)
	if e.offline && len(asked) > 0 {
		return []Finding{{Name: "servers", Level: levelInfo, Says: "not asked (--offline)"}}
	}
	log.SetOutput(io.Discard) // net/http would write to standard error
	used, name := agent.SplitModel(inUse)
	var findings []Finding
	for _, l := range e.Models.List(ctx, asked, serverLimit) {
		found := Finding{Name: l.Maker.Name, Level: levelOK}
		switch {
		case l.Err == nil:
			found.Says, found.Value = "it answers, with "+words.Count(len(l.Offers), "model"), len(l.Offers)
			if l.Maker.Name == used && !l.Has(name) {
				found.Level, found.Do = levelNote, fmt.Sprintf("%s is not one of them; pawl models lists them", name)
			}
		case l.Reached() && !l.Refused():
			found.Level, found.Says = levelNote, "it answers, but gives no list of models: "+l.Says()
			found.Do = l.Do()
		case l.Maker.Name == used:
			found.Level, found.Says, found.Do = levelProblem, l.Says(), l.Do()
		default:
			found.Level, found.Says, found.Do = levelNote, l.Says(), l.Do()
		}
		findings = append(findings, found)
	}
	return findings
}

func (e *Examination) modelInUse(last string) Finding {
	model, _ := e.Models.Choose("", e.settings.Model, last)
	why := "the first whose variable is set"
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
		return found
	}
	if missing := e.Models.Missing(model); missing != "" {
		found.Level = levelProblem
		found.Says = fmt.Sprintf("%s needs %s, which is not set", model, missing)
		found.Do = "set it, or name another in the model setting"
	} else if model == models.Demo && e.settings.Model != models.Demo {
		found.Level, found.Do = levelNote, "set a key such as ANTHROPIC_API_KEY for a model"
	}
	return found
}
