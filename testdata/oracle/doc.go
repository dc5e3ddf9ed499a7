// Package oracle holds what Pawl sends to models against the libraries of those who
// make them.
//
//	agent/NAME/testdata/sent.json ── what Pawl sends for each question, as its tests hold it
//	                                  │
//	NAME_test.go ── the same questions in the maker's types, sent by its library
//	                                  │
//	                                  └─► the same address, key and body, as JSON
//
// It is a module of its own, so that nothing of the libraries comes into the program:
// `make oracle` runs it, and `make soak`.
package oracle
