import { whenForgotten } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';

/** Addresses that open a private file for a while. */
interface Signed {
  readonly url?: string;
  readonly variants?: Readonly<Record<string, string>>;
}

const seconds = 3600;
/** They are used again for a part of that time, so that a picture that is drawn anew does not load anew. */
const reused = (seconds * 1000) / 2;

const known = new Map<string, { readonly at: number; readonly signed: Signed }>();
whenForgotten(() => known.clear());

/** Those that were asked for lately for a file's address, which changes with what it shows. */
export function knownSigned(address: string): Signed | undefined {
  const found = known.get(address);
  return found !== undefined && Date.now() - found.at < reused ? found.signed : undefined;
}

/** Asks the service for them; empty where it does not give any. */
export async function signedFor(id: string, address: string): Promise<Signed> {
  const before = knownSigned(address);
  if (before !== undefined) return before;
  const at = Date.now();
  try {
    const signed = await session.client.request<Signed>('POST', `/media/${id}/sign`, { body: { seconds } });
    known.set(address, { at, signed });
    return signed;
  } catch {
    return {};
  }
}
