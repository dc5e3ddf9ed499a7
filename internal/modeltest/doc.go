// Package modeltest is the model of the tests: a server on loopback that speaks the four wire
// protocols of models as their makers document them, and answers by a script.
//
//	request ─► the protocol's own words ─► Request (and what is wrong with it)
//	        ─► script(Request) ─► Reply
//	        ─► the protocol's writer: Reply ─► events, each flushed by itself
//
// It is as strict as the real ones, and a little more: what they would refuse is an error of the
// test, and so is a history with a call that lacks its result. It imports nothing of the product.
package modeltest
