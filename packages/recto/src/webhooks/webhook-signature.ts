import type { Webhook } from './webhook.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new signing secret: `whsec_` and 256 random bits in base64, as Standard Webhooks has them. */
export const newWebhookSecret = (): string =>
  prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString('base64');

export interface SignedMessage {
  /** `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `v1,…`: the signature of a message (https://www.standardwebhooks.com). */
export function signature(secret: string, { id, body, at }: SignedMessage): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const hasher = new Bun.CryptoHasher('sha256', key).update(`${id}.${seconds(at)}.${body}`);
  return `v1,${hasher.digest('base64')}`;
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** The headers of a message: signed with the secret, and with the one before as long as that holds. */
export function signedHeaders(webhook: Webhook, message: SignedMessage): Readonly<Record<string, string>> {
  const { secret, previousSecret, previousUntil } = webhook;
  const holds = previousSecret !== null && previousUntil !== null && message.at < previousUntil;
  const secrets = holds ? [secret, previousSecret] : [secret];
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds(message.at)),
    'webhook-signature': secrets.map((each) => signature(each, message)).join(' '),
  };
}
