// Package highlight tells apart what code between fences is made of. It knows some
// thirty languages by their words, comments and strings, and no grammar: a screen of
// code has its looks before a grammar would be read, and what is not code but nearly
// so does not go wrong.
//
//	language, source ──► scanner ──► tokens: a kind and an end each
//
// It knows no colours, and what it is given it gives back, whole.
package highlight
