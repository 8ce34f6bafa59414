// These limits are in a separate file, because both the service and the console's pages use them.

export const PET_LINES_MAX = 100; // maximum number of lines that the console may add or change in one request; a request with more lines is refused
