import { t } from '../text/text.ts';

/** Whether this browser can use passkeys, and reads what the service sends for them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Makes a passkey on this device, or on one that the person chooses. Returns what the service stores. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return jsonOf(await navigator.credentials.create({ publicKey }));
}

/** `conditional`: the passkeys of this site are offered where the email address is filled in, and this waits for one to be chosen. */
export async function askPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
  more: { readonly mediation?: 'conditional'; readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return jsonOf(await navigator.credentials.get({ publicKey, ...more }));
}

function jsonOf(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('There is no passkey.', 'NotAllowedError');
}

/** What to say about a passkey that the browser did not give; undefined: the error is another one. */
export function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return undefined;
  switch (error.name) {
    case 'InvalidStateError':
      return t('session.passkeyKnown');
    case 'SecurityError':
      return t('session.passkeyElsewhere');
    case 'NotAllowedError':
    case 'AbortError':
      return t('session.passkeyNone');
    default:
      return t('session.passkeyFailed');
  }
}
