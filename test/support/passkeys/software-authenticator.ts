import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// An authenticator in software: it makes passkeys and uses them as the WebAuthn standard has it, and where a test wants, wrongly.

type Bytes = Uint8Array;

const sha256 = (bytes: Bytes | string): Bytes => createHash('sha256').update(bytes).digest();
const encoded = (bytes: Bytes): string => Buffer.from(bytes).toString('base64url');

/** What CBOR (RFC 8949) is needed for here. */
type Cbor = number | string | Bytes | ReadonlyMap<number | string, Cbor>;

function cborHead(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  if (value < 0x100) return Uint8Array.of((major << 5) | 24, value);
  return Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
}

function cbor(value: Cbor): Bytes {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([cborHead(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap((pair) => pair.map(cbor))]);
}

/** How an authenticator, or the page that asks it, is to differ from what is right. */
export interface Wrongly {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Signs with another key. */
  readonly forged?: boolean;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/** One passkey, and the device that has it. */
export class SoftwarePasskey {
  readonly id: string;
  readonly origin: string;
  #counter: number;
  #userHandle = '';
  readonly #privateKey: KeyObject;
  readonly #coordinates: { readonly x: Bytes; readonly y: Bytes };

  /** `counter` 0: it does not count. */
  constructor(origin: string, counter = 0) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.id = encoded(randomBytes(32));
    this.origin = origin;
    this.#counter = counter;
    this.#privateKey = privateKey;
    this.#coordinates = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** The response of `navigator.credentials.create`, by `toJSON`. */
  created(options: CreationOptions, wrongly: Wrongly = {}) {
    this.#userHandle = options.user.id;
    const { x, y } = this.#coordinates;
    const key = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x],
        [-3, y],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([new Uint8Array(16), Uint8Array.of(id.length >> 8, id.length & 0xff), id, key]);
    const authData = this.#authenticatorData(wrongly.rpId ?? options.rp.id, wrongly, attested);
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: encoded(this.#clientData('webauthn.create', options.challenge, wrongly)),
        attestationObject: encoded(attestationObject),
        transports: ['internal'],
      },
    };
  }

  /** The response of `navigator.credentials.get`, by `toJSON`. */
  used(options: RequestOptions, wrongly: Wrongly = {}) {
    if (this.#counter > 0) this.#counter++;
    const authenticatorData = this.#authenticatorData(wrongly.rpId ?? options.rpId, wrongly);
    const clientData = this.#clientData('webauthn.get', options.challenge, wrongly);
    const key =
      wrongly.forged === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : this.#privateKey;
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key);
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: encoded(clientData),
        authenticatorData: encoded(authenticatorData),
        signature: encoded(signature),
        userHandle: wrongly.userHandle ?? this.#userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, wrongly: Wrongly): Bytes {
    return Buffer.from(
      JSON.stringify({
        type: wrongly.type ?? type,
        challenge: wrongly.challenge ?? challenge,
        origin: wrongly.origin ?? this.origin,
        crossOrigin: wrongly.crossOrigin ?? false,
      }),
    );
  }

  #authenticatorData(rpId: string, wrongly: Wrongly, attested: Bytes = new Uint8Array()): Bytes {
    const { userPresent = true, userVerified = true, counter = this.#counter } = wrongly;
    const set =
      (userPresent ? flags.present : 0) |
      (userVerified ? flags.verified : 0) |
      (attested.length > 0 ? flags.attested : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Uint8Array.of(set), count, attested]);
  }
}
