import { randomBytes } from 'node:crypto';
import { unavailable } from '../base/problem.ts';
import { passwordMaxBytes } from './password-rules.ts';
import { Semaphore } from './semaphore.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the one behind the hash. Without a hash (an unknown address) the same work is done and the
   * answer is false, so that the time it takes tells nothing.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

/**
 * Argon2id as OWASP's Password Storage Cheat Sheet recommends it at least: 19 MiB, two passes (Bun's one lane). The choice with the least
 * memory of those it holds equal below 46 MiB: the service promises small processes, and an attacker's cost is the same.
 */
const recommended = { memoryCost: 19 * 1024, timeCost: 2 };

/** Four at a time take 76 MiB and the threads of a small machine. */
const running = 4;

/** So many more for each wait for about a second at most. Beyond that: 503. */
const waitingEach = 16;

interface Cost {
  /** In KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
}

interface HasherOptions {
  /** For tests: what is hashed with one cost is verified with any. */
  readonly cost?: Cost;
  /** How many processes of the service hash; what runs at a time is divided among them. */
  readonly processes?: number;
}

/** Makes a hasher. */
export function createPasswordHasher({ cost = recommended, processes = 1 }: HasherOptions = {}): PasswordHasher {
  const atATime = Math.ceil(running / processes);
  const limits = { running: atATime, waiting: atATime * waitingEach };
  const semaphore = new Semaphore(limits, () =>
    unavailable('busy', 'Too many sign-ins at this moment. Try again shortly.'),
  );
  const hash = (password: string): Promise<string> =>
    Bun.password.hash(prepare(password), { algorithm: 'argon2id', ...cost });
  const nobody = hashOfNothing(cost);

  return {
    hash: (password) => semaphore.run(() => hash(password)),
    verify: (password, known) =>
      semaphore.run(async () => {
        const usable = password !== '' && Buffer.byteLength(password) <= passwordMaxBytes;
        const matches = await Bun.password.verify(usable ? prepare(password) : 'unusable', known ?? nobody);
        return matches && usable && known !== undefined;
      }),
  };
}

/**
 * What no password leads to, in the form of a hash (PHC string format): random bytes in the place of salt and digest. To
 * verify a password with it takes what it takes with any other, and to make it takes nothing.
 */
function hashOfNothing({ memoryCost, timeCost }: Cost): string {
  const bytes = (): string => randomBytes(32).toString('base64').replace('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${bytes()}$${bytes()}`;
}

/** RFC 8265, section 4.2: a password is compared in normalisation form C, however the keyboard composed it. */
const prepare = (password: string): string => password.normalize('NFC');
