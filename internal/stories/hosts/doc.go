// Package hosts plays people with many terminals over sessions that outlive them: whatever they do
// to fronts, guards and hosts, in any order, nothing is lost, doubled or left behind. It has no
// source, only tests.
package hosts
