package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"pawl/agent/remote"
	"pawl/internal/base"
	"pawl/internal/machines"
	"pawl/internal/words"
	"pawl/tools/process"
)

// machinesLimit is how long the server of other machines may take to be connected, and then to answer.
const machinesLimit = 5 * time.Second

// examineMachines looks at the server by which runs go to other machines: whether it can be reached and
// how, what it stores, and which workers are there. Where no server is set up there is no section.
func (e *Examination) examineMachines(ctx context.Context) {
	own := e.settings.Remote
	if !own.On() {
		return
	}
	findings := []Finding{e.credentials()}
	if e.offline {
		findings = append(findings, Finding{Name: "server", Level: levelInfo, Says: own.NATS + ": not asked, offline", Value: own.NATS})
		e.add("Machines", append(findings, gitForWorkers())...)
		return
	}
	dialing, cancel := context.WithTimeout(ctx, machinesLimit)
	defer cancel()
	link, err := machines.Dial(dialing, machines.Options{URL: own.NATS, Creds: own.CredsFile(e.folders), CA: own.CAFile(), Name: "pawl doctor"})
	if err != nil {
		if ctx.Err() == nil && dialing.Err() != nil {
			err = fmt.Errorf("%s did not answer in %s", own.NATS, machinesLimit)
		}
		found := Finding{Name: "server", Level: levelProblem, Says: strings.TrimSuffix(err.Error(), `: "pawl doctor" tests it`), Value: own.NATS}
		found.Do = "no subagent goes to another machine until that works"
		e.add("Machines", append(findings, found, gitForWorkers())...)
		return
	}
	defer link.Close()
	findings = append(findings, e.encryption(link))
	findings = append(findings, stored(dialing, link)...)
	findings = append(findings, e.workers(ctx, link)...)
	e.add("Machines", append(findings, gitForWorkers())...)
}

// credentials reports the file with the key to the server.
func (e *Examination) credentials() Finding {
	const name = "creds"
	path := e.settings.Remote.CredsFile(e.folders)
	if path == "" {
		return Finding{
			Name: name, Level: levelNote, Says: "none: the server takes everybody, and workers without credentials take anybody's runs",
			Do: "give the server users with NKeys; pawl-server has that from its start",
		}
	}
	found := Finding{Name: name, Level: levelOK, Says: base.ShortPath(path), Value: path}
	switch info, err := os.Stat(path); {
	case err != nil:
		found.Level, found.Says, found.Do = levelProblem, base.ShortPath(path)+" cannot be read ("+base.Reason(err)+")", "copy the file there, or set creds in [remote]"
	case info.Mode().Perm()&0o077 != 0:
		found.Level, found.Says, found.Do = levelNote, found.Says+" can be read by other users of this machine", "chmod 600 "+base.ShortPath(path)
	}
	return found
}

// encryption reports how the server is reached, and whether keys can be lent that way.
func (e *Examination) encryption(link *machines.Link) Finding {
	found := Finding{Name: "server", Level: levelOK, Says: link.Address() + ", with TLS", Value: link.Address()}
	if link.TLS() {
		return found
	}
	found.Says = link.Address() + ", without TLS"
	switch {
	case e.settings.Remote.Lends():
		found.Level, found.Do = levelProblem, `remote.keys = "lend" works only with TLS: no remote run can begin`
	case !onLoopback(link.Address()):
		found.Level, found.Do = levelNote, "others on the way can read what remote runs work at: have the server use TLS"
	}
	return found
}

func onLoopback(address string) bool {
	return strings.Contains(address, "//127.") || strings.Contains(address, "//localhost") || strings.Contains(address, "//[::1]")
}

// stored reports what the server keeps for Pawl.
func stored(ctx context.Context, link *machines.Link) []Finding {
	r, err := link.Report(ctx)
	if err != nil {
		return []Finding{{Name: "JetStream", Level: levelNote, Says: base.OneLine(err.Error()), Do: "a user with few permissions may still run subagents; ask its administrator"}}
	}
	found := Finding{Name: "JetStream", Level: levelOK, Value: r, Says: "nats-server " + r.Version + ", stores " + fullness(r.Bytes, r.Limit)}
	if nearlyFull(r.Bytes, r.Limit) {
		found.Level, found.Do = levelNote, "it is nearly full: raise the limit of the account, or delete old checkouts"
	}
	for _, s := range r.Stores {
		found.More = append(found.More, fmt.Sprintf("%s: %s, %s", s.Name, words.Count(int(s.Messages), "message"), fullness(s.Bytes, s.Limit))) //nolint:gosec // a count
		if nearlyFull(s.Bytes, s.Limit) {
			found.Level, found.Do = levelNote, s.Name+" is nearly full: raise its limit"
		}
	}
	if len(r.Stores) == 0 {
		found.More = []string{"its streams and buckets are made when they are needed"}
	}
	return []Finding{found}
}

func fullness(bytes uint64, limit int64) string {
	has := words.Size(int64(bytes)) //nolint:gosec // less than any disk
	if limit <= 0 {
		return has
	}
	return has + " of " + words.Size(limit)
}

// nearlyFull reports whether nine tenths of a limit are used.
func nearlyFull(bytes uint64, limit int64) bool {
	return limit > 0 && bytes >= uint64(limit)/10*9
}

// workers reports who would take runs, and who cannot take those of this version.
func (e *Examination) workers(ctx context.Context, link *machines.Link) []Finding {
	const name = "workers"
	all, err := link.Workers(ctx)
	if err != nil {
		return []Finding{{Name: name, Level: levelNote, Says: base.OneLine(err.Error())}}
	}
	if len(all) == 0 {
		return []Finding{{Name: name, Level: levelNote, Says: "none is there: remote subagents wait for one", Do: "on another machine: pawl worker --nats " + e.settings.Remote.NATS, Value: 0}}
	}
	found := Finding{Name: name, Level: levelOK, Value: len(all)}
	slots, busy, other := 0, 0, 0
	for _, w := range all {
		line := w.Line()
		if w.Protocol != remote.Protocol {
			line, other = line+", takes no runs of this version", other+1
		} else {
			slots, busy = slots+w.Slots, busy+w.Busy
		}
		found.More = append(found.More, line)
	}
	found.Says = fmt.Sprintf("%s, %d of %s taken", words.Count(len(all), "worker"), busy, words.Count(slots, "slot"))
	if other > 0 {
		found.Level, found.Do = levelNote, words.CountOf(other, "speaks", "speak")+" another version: install the same Pawl on all machines"
	}
	return []Finding{found}
}

// gitForWorkers reports whether this machine can be a worker: the checkouts of runs travel as git has them.
func gitForWorkers() Finding {
	path, here := process.ProgramPath("git")
	if path == "" && !here {
		return Finding{Name: "git", Level: levelNote, Says: "is not there: this machine can neither send a checkout nor be a worker", Do: "install it"}
	}
	return Finding{Name: "git", Level: levelOK, Says: base.ShortPath(path) + ": checkouts can be sent from here and worked at here", Value: path}
}
