// Package trust remembers what the user has agreed to: by content, the files of a folder that
// would make Pawl start programs or reach servers; and the permanent rules that the answer
// "always" has left for a folder.
package trust
