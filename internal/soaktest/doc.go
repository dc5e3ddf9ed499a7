// Package soaktest is for tests that try something many times: a few in the gate, and as
// often as the promise says in "make soak", which sets PAWL_SOAK. What such a test has tried
// it says with Tried, where it has counted it; internal/soak writes RELIABILITY.md from that.
package soaktest
