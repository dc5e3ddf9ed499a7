// Command site renders the pages of a checkout, README.md first, to a folder of plain HTML that
// opens from a file: no network, no server. It is run by `make site` and is no part of Pawl.
//
//	*.md ──► page ──► links resolved ──► site ──► *.html, style, script, index of the search
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	from := flag.String("from", ".", "the checkout")
	to := flag.String("o", "site", "the folder to write")
	flag.Parse()
	s, err := read(*from)
	if err == nil {
		err = s.write(*to)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages: %s/index.html\n", len(s.pages), *to)
}
