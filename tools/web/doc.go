// Package web fetches pages for the tools and turns them into text. It reaches no address of
// this machine or its network except those that the user has allowed.
package web
