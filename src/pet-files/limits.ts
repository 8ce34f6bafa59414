// This is a separate file because the service and the pages share it.

export const PET_LINES_MAX = 100; // maximum number of lines in one request of the console that adds or changes animals; more are refused
