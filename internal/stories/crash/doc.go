// Package crash kills Pawl on every side of the write of every record, and at points that
// nobody chose, and looks at what it comes back with. It has no source, only tests.
package crash
