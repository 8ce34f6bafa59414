// The limits in this file are used by both the service and the console's pages.

export const PET_LINES_MAX = 100; // maximum number of lines that the console may add or change in one request; a request with more lines is refused
