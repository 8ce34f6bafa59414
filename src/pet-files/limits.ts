// These limits have a file of their own, because both the service and the console's pages use them.

export const PET_LINES_MAX = 100; // maximum number of lines that the console may add or change in one request; more are refused
