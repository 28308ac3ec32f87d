/** A request to a provider. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to a provider. Rejects where the address is not allowed, nothing answers in time or the answer is too large; never
 * follows a redirect. The response is complete.
 */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/** The most that a provider may answer, in bytes. Real answers have a few thousand. */
export const mostAnswerBytes = 1024 * 1024;

/** How long one request to a provider may take, in milliseconds. */
export const requestMs = 5_000;

/** How long all requests of one sign-in may take together, in milliseconds. */
export const signInMs = 15_000;
