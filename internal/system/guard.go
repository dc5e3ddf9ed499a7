package system

// GuardName is the name that the guards of sessions give their processes, where the system has such
// names.
const GuardName = "pawl-guard"
