// Package web is the one way of the tools to the open internet: it reaches no address of this
// machine or its network but those that the user allowed, and makes text of what it gets.
package web
