// Package trust remembers what the user has agreed to: in the files of a folder that
// would make Pawl start programs or reach servers, by their content; and the rules that a
// yes for always has left for a folder.
package trust
