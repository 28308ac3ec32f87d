/**
 * Bytes of the write-ahead log from which on it is long: readers hold no state beside it, writes wait until it is merged, and so
 * much of a disk is kept for it. Only the transaction that reaches it makes it longer.
 */
export const longestLog = 16 * 1024 * 1024;
