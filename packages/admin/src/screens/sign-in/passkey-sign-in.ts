import { askPasskey, hasPasskeys } from '../../api/passkey.ts';
import { session } from '../../app/session.svelte.ts';

interface Offer {
  readonly challenge: string;
  readonly expires_in: number;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

const begin = (signal?: AbortSignal): Promise<Offer> =>
  session.client.request('POST', '/auth/passkeys/options', signal === undefined ? {} : { signal });

/** Signs in with a passkey that the browser asks for at once. */
export async function signInWithPasskey(): Promise<void> {
  const { challenge, options } = await begin();
  await session.enterWith('/auth/passkeys/login', { challenge, response: await askPasskey(options) });
}

/** Whether this browser offers passkeys where the email address is filled in. */
export const hasAutofill = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/**
 * Offers passkeys where the email address is filled in, until the signal aborts. A challenge ends after some minutes: shortly before, the browser
 * gets another one. `onerror` hears of a passkey that was chosen and rejected;
 * after three, no more are offered.
 */
export async function offerPasskeys(signal: AbortSignal, onerror: (error: unknown) => void): Promise<void> {
  if (!(await hasAutofill())) return;
  for (let rejected = 0; rejected < 3 && !signal.aborted; ) {
    const renewal = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let response: unknown;
    let challenge = '';
    try {
      const offer = await begin(signal);
      challenge = offer.challenge;
      timer = setTimeout(() => renewal.abort(), Math.max(30, offer.expires_in - 30) * 1000);
      const either = AbortSignal.any([signal, renewal.signal]);
      response = await askPasskey(offer.options, { mediation: 'conditional', signal: either });
    } catch {
      // Renewed, or the browser does not want to: nothing is said, for nobody has asked.
      if (renewal.signal.aborted) continue;
      return;
    } finally {
      clearTimeout(timer);
    }
    try {
      await session.enterWith('/auth/passkeys/login', { challenge, response });
      return;
    } catch (error) {
      rejected += 1;
      onerror(error);
    }
  }
}
