import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { tokenHash } from '../opaque-token.ts';
import { challengeLifetime } from './challenge-store.ts';
import type { NewPasskey, Passkey } from './passkey.ts';

/** A new credential as a browser sends it; all in base64url. */
export interface SentRegistration {
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[];
  };
}

/** The use of a credential as a browser sends it; all in base64url. */
export interface SentAssertion {
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}

/** What an authenticator has proved with a passkey. */
export interface PasskeyUse {
  readonly counter: number;
  readonly backedUp: boolean;
  readonly userVerified: boolean;
}

/** Whom a passkey is made for. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
}

// Loaded when first used: it takes a fifth of a second and 20 MB.
const library = () => import('@simplewebauthn/server');

/**
 * The side of WebAuthn that is the service's. The challenge that authenticators sign is made from the challenge of the service, so that an
 * answer fits that one alone and nothing more has to be stored.
 */
export class RelyingParty {
  /** The host of RECTO_URL: passkeys belong to it, and cannot be moved to another one. */
  readonly id: string;
  /** The origins whose pages may use its passkeys: its own, and those of RECTO_PASSKEY_ORIGINS. */
  readonly origins: readonly string[];

  /** Undefined where the service does not know its own address, or has none but an IP address, which no passkey can belong to. */
  static at(url: string | undefined, others: readonly string[]): RelyingParty | undefined {
    if (url === undefined || /^(?:[\d.]+|\[.*\])$/.test(new URL(url).hostname)) return undefined;
    return new RelyingParty(url, others);
  }

  private constructor(url: string, others: readonly string[]) {
    this.id = new URL(url).hostname;
    this.origins = [...new Set([new URL(url).origin, ...others])];
  }

  /** What `navigator.credentials.get` takes. Without `passkeys`, any passkey of this service, whose user has to be verified. */
  async requestOptions(
    challenge: string,
    passkeys?: readonly Passkey[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: this.id,
      challenge: Buffer.from(signedChallenge(challenge), 'base64url'),
      timeout: challengeLifetime,
      ...(passkeys === undefined
        ? { userVerification: 'required' }
        : { userVerification: 'preferred', allowCredentials: passkeys.map(described) }),
    });
  }

  /** What `navigator.credentials.create` takes. */
  async creationOptions(
    challenge: string,
    owner: PasskeyOwner,
    passkeys: readonly Passkey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: this.id,
      rpID: this.id,
      userID: userHandle(owner.id),
      userName: owner.email,
      userDisplayName: owner.displayName ?? owner.email,
      challenge: Buffer.from(signedChallenge(challenge), 'base64url'),
      timeout: challengeLifetime,
      attestationType: 'none',
      excludeCredentials: passkeys.map(described),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  }

  /** The passkey that an authenticator has made for an account; undefined for a response that is not right. */
  async registered(
    challenge: string,
    sent: SentRegistration,
    account: string,
  ): Promise<Omit<NewPasskey, 'name'> | undefined> {
    if (isFramed(sent)) return undefined;
    const { verifyRegistrationResponse } = await library();
    const verified = await rightOrUndefined(() =>
      verifyRegistrationResponse({
        response: {
          ...{ id: sent.id, rawId: sent.rawId, ...fixed },
          response: {
            clientDataJSON: sent.response.clientDataJSON,
            attestationObject: sent.response.attestationObject,
          },
        },
        expectedChallenge: signedChallenge(challenge),
        expectedOrigin: [...this.origins],
        expectedRPID: this.id,
        requireUserVerification: false,
      }),
    );
    if (verified === undefined || !verified.verified) return undefined;
    const { credential, credentialBackedUp, aaguid } = verified.registrationInfo;
    return {
      account,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: knownTransports(sent.response.transports),
      backedUp: credentialBackedUp,
      aaguid: aaguid === noModel ? null : aaguid,
    };
  }

  /** What a response proves about the passkey; undefined for one that is not right. `userVerified`: it has to prove that too. */
  async used(
    challenge: string,
    sent: SentAssertion,
    passkey: Passkey,
    { userVerified }: { readonly userVerified: boolean },
  ): Promise<PasskeyUse | undefined> {
    if (isFramed(sent)) return undefined;
    // A passkey that names its owner names this one.
    const { userHandle: named } = sent.response;
    if (named != null && named !== Buffer.from(userHandle(passkey.account)).toString('base64url')) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const verified = await rightOrUndefined(() =>
      verifyAuthenticationResponse({
        response: {
          ...{ id: sent.id, rawId: sent.rawId, ...fixed },
          response: {
            clientDataJSON: sent.response.clientDataJSON,
            authenticatorData: sent.response.authenticatorData,
            signature: sent.response.signature,
          },
        },
        expectedChallenge: signedChallenge(challenge),
        expectedOrigin: [...this.origins],
        expectedRPID: this.id,
        requireUserVerification: userVerified,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }),
    );
    if (verified === undefined || !verified.verified) return undefined;
    const { newCounter, credentialBackedUp, userVerified: wasVerified } = verified.authenticationInfo;
    return { counter: newCounter, backedUp: credentialBackedUp, userVerified: wasVerified };
  }
}

/** Of every credential. No extension is asked for. */
const fixed = { type: 'public-key', clientExtensionResults: {} } as const;

/** What is signed: in base64url, 256 bits that follow from the challenge alone. */
const signedChallenge = (challenge: string): string =>
  Buffer.from(tokenHash(`webauthn:${challenge}`), 'hex').toString('base64url');

const userHandle = (account: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(account));

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof transports)[number];

const knownTransports = (sent: readonly unknown[] | undefined): readonly Transport[] =>
  transports.filter((transport) => sent?.includes(transport));

const described = ({ credentialId, transports: sent }: Passkey) => ({
  id: credentialId,
  transports: [...knownTransports(sent)],
});

/** The model of authenticators that do not say theirs. */
const noModel = '00000000-0000-0000-0000-000000000000';

/** Whether a page in a frame of another origin has asked. None of ours does, and its user cannot see whom the proof is for. */
function isFramed({ response }: { readonly response: { readonly clientDataJSON: string } }): boolean {
  try {
    const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return typeof client !== 'object' || client === null || ('crossOrigin' in client && client.crossOrigin === true);
  } catch {
    return true;
  }
}

/** The library throws for whatever is wrong with a response, which a stranger has sent. */
async function rightOrUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
