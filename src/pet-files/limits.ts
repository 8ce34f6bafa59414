// A file of its own, because the service and the pages share it.

export const PET_LINES_MAX = 100; // lines of one request of the console that adds or changes animals; more are refused
