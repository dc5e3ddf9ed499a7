package git

// noFollow is unused: Windows is not supported.
const noFollow = 0
