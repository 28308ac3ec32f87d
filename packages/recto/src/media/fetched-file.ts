import { codeOf, connect, isRedirect } from '../base/net/guarded-request.ts';
import { type OutboundTargets, TargetRefused } from '../base/net/outbound-targets.ts';
import { storedChunks } from '../storage/storage.ts';

/** Why a file could not be fetched, as a reason to skip it. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  /** Whether its address is none, or leads to a place that is not public. */
  readonly isRefused: boolean;

  constructor(reason: string, { isRefused = false, ...options }: ErrorOptions & { readonly isRefused?: boolean } = {}) {
    super(reason, options);
    this.isRefused = isRefused;
  }
}

/** Where files may be fetched from, and how long each may take. */
export interface FileFetcher {
  readonly targets: OutboundTargets;
  /** Default 10 minutes. */
  readonly timeoutMs?: number;
}

const usualTimeoutMs = 600_000;
const mostRedirects = 5;

/**
 * The bytes of a file from the network. Each address is checked as those of webhooks are, also where a redirect leads, and what is
 * connected to is what was checked. Rejects with `FetchFailed`, also while the bytes are read.
 */
export async function* fetchedFile(address: string, fetcher: FileFetcher): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const response = await follow(address, fetcher, AbortSignal.timeout(fetcher.timeoutMs ?? usualTimeoutMs));
    if (response.body !== null) yield* storedChunks(response.body);
  } catch (error) {
    if (error instanceof FetchFailed) throw error;
    if (error instanceof TargetRefused)
      throw new FetchFailed('its address leads to no public place', { isRefused: true });
    if (error instanceof Error && error.name === 'TimeoutError') throw new FetchFailed('not fetched in time');
    throw new FetchFailed(`the connection failed: ${codeOf(error)}`, { cause: error });
  }
}

async function follow(address: string, { targets }: FileFetcher, signal: AbortSignal): Promise<Response> {
  let place = address;
  for (let count = 0; count <= mostRedirects; count += 1) {
    const target = await targets.check(place);
    const response = await connect(target, { method: 'GET', headers: { 'Accept-Encoding': 'identity' }, signal });
    const { status, headers } = response;
    const isEncoded = (headers.get('content-encoding') ?? 'identity') !== 'identity';
    if (status === 200 && !isEncoded) return response;
    await response.body?.cancel();
    const next = isRedirect(status) ? headers.get('location') : null;
    if (next === null) throw new FetchFailed(isEncoded ? 'the site sends it compressed' : `the site answers ${status}`);
    if (!URL.canParse(next, place)) throw new FetchFailed('it is redirected to no address');
    place = new URL(next, place).href;
  }
  throw new FetchFailed('it is redirected too often');
}
