import type { Page } from 'playwright-core';

/** A device that keeps passkeys, which Chromium plays. */
export interface Authenticator {
  /** Whether somebody touches it as soon as it is asked. */
  touch(isTouched: boolean): Promise<void>;
  credentials(): Promise<readonly { readonly credentialId: string; readonly signCount: number }[]>;
  /** Takes it away, with its passkeys. */
  remove(): Promise<void>;
  /** Sets its counters back, as those of a copy would be. */
  setBack(): Promise<void>;
}

/** A device in the page's browser: a fingerprint reader, which knows whoever touches it. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const stored = async () => (await debug.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    touch: (enabled) =>
      debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }).then(() => undefined),
    credentials: stored,
    remove: () => debug.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined),
    async setBack() {
      for (const credential of await stored()) {
        await debug.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
        await debug.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
      }
    },
  };
}
