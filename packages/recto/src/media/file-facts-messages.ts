/** What the thread that reads files and the process exchange. The thread has no storage: it asks for ranges of one file. */
export type ToFactsThread =
  | { readonly kind: 'read'; readonly mimeType: string; readonly size: number }
  | { readonly kind: 'range'; readonly call: number; readonly bytes: Uint8Array<ArrayBuffer> };

export type FromFactsThread =
  /** What reads the file has been loaded. */
  | { readonly kind: 'began' }
  | { readonly kind: 'range'; readonly call: number; readonly start: number; readonly end: number }
  /** `found` is the number of pages, or of seconds; null where the file does not say. */
  | { readonly kind: 'done'; readonly found: number | null };

/** What is read of a file, by its type. */
export function factOf(mimeType: string): 'pages' | 'duration' | undefined {
  if (mimeType === 'application/pdf') return 'pages';
  return /^(?:audio|video)\//.test(mimeType) ? 'duration' : undefined;
}
