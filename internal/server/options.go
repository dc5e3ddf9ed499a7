package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"

	"github.com/spf13/pflag"

	"pawl/agent/settings"
	"pawl/internal/system"
)

// options are what a command line asks for.
type options struct {
	host      string // empty: every address of the machine
	port      int    // 0: any that is free
	folder    string
	cert, key string // files of a certificate of the user's own; empty: one is made
	plain     bool   // without TLS
	child     bool   // started by pawl worker --serve
}

const usage = `pawl-server [--listen ADDRESS] [--store FOLDER] [--cert FILE --key FILE] [--no-tls]

A NATS server with JetStream, by which subagents of Pawl run on other machines. It makes a
key and a certificate at its first start, and says what to do on the other machines.
pawl worker --serve :4222 starts it beside a worker. pawl help machines says more.

`

// parse reads a command line. It returns nil where there is nothing to do: help was asked for.
func parse(args []string, out io.Writer) (*options, error) {
	o := options{}
	var listen string
	flags := pflag.NewFlagSet("pawl-server", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.Usage = func() {}
	flags.StringVar(&listen, "listen", ":4222", "Listen at this `ADDRESS`: HOST:PORT, or :PORT\nfor every address.")
	flags.StringVar(&o.folder, "store", "", "Keep everything in this `FOLDER`; else in server of Pawl's\ndata folder.")
	flags.StringVar(&o.cert, "cert", "", "The `FILE` of a certificate of your own, in PEM.")
	flags.StringVar(&o.key, "key", "", "The `FILE` with the key to it, in PEM.")
	flags.BoolVar(&o.plain, "no-tls", false, "Encrypt nothing: for loopback alone.")
	flags.BoolVar(&o.child, "child", false, "")
	if err := flags.MarkHidden("child"); err != nil {
		return nil, err
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		_, err := io.WriteString(out, usage+flags.FlagUsages())
		return nil, err
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case err == nil:
		err = o.complete(listen)
	}
	if err != nil {
		return nil, system.Usage(err.Error() + " (pawl-server --help says more)")
	}
	return &o, nil
}

func (o *options) complete(listen string) error {
	host, port, err := net.SplitHostPort(listen)
	o.host = host
	if err == nil {
		o.port, err = strconv.Atoi(port)
	}
	const highest = 1<<16 - 1
	switch {
	case err != nil || o.port < 0 || o.port > highest:
		return fmt.Errorf("--listen %q: must be HOST:PORT or :PORT, such as :4222", listen)
	case (o.cert == "") != (o.key == ""):
		return errors.New("--cert and --key belong together: one of them is missing")
	case o.plain && o.cert != "":
		return errors.New("--no-tls with --cert: the certificate would not be used")
	case o.plain && !o.loopback():
		return fmt.Errorf("--no-tls with %s: without TLS, anyone on the network path can read and change what runs on your machines: listen at 127.0.0.1:%d, or leave --no-tls out", cmp.Or(listen, "every address"), o.port)
	}
	if err := settings.CheckHome(); err != nil {
		return err
	}
	o.folder, err = filepath.Abs(cmp.Or(o.folder, settings.FindFolders().Server())) // the commands that are shown run elsewhere
	return err
}

// loopback reports whether only this machine can reach the server.
func (o options) loopback() bool {
	ip := net.ParseIP(o.host)
	return o.host == "localhost" || ip != nil && ip.IsLoopback()
}
