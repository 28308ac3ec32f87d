import { randomBytes } from 'node:crypto';
import { unavailable } from '../base/problem.ts';
import { Semaphore } from '../base/semaphore.ts';
import { passwordMaxBytes } from './password-rules.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash (an unknown address, an account without a password) it does the same work and returns false,
   * so that the time taken reveals nothing.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
  /** Whether `hash` would make another kind of hash now, such as one that an import has brought: it is replaced at the next sign-in. */
  isOutdated(hash: string): boolean;
}

/**
 * Argon2id as OWASP's Password Storage Cheat Sheet recommends it as the minimum: 19 MiB, two passes (Bun's one lane). Of the
 * equivalent choices below 46 MiB, one that uses little memory: the service promises small processes, and an attacker's cost is the same.
 */
const recommended = { memoryCost: 19 * 1024, timeCost: 2 };

/** Four at a time take 76 MiB and the threads of a small machine. */
const running = 4;

/** The queue for each running task: about a second of waiting. Beyond that: 503. */
const waitingEach = 16;

interface Cost {
  /** In KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
}

interface HasherOptions {
  /** For tests: a hash of any cost can be verified. */
  readonly cost?: Cost;
  /** How many processes of the service hash; the concurrency limit is divided among them. */
  readonly processes?: number;
}

export function createPasswordHasher({ cost = recommended, processes = 1 }: HasherOptions = {}): PasswordHasher {
  const atATime = Math.ceil(running / processes);
  const limits = { running: atATime, waiting: atATime * waitingEach };
  const semaphore = new Semaphore(limits, () =>
    unavailable('busy', 'Too many sign-ins at this moment. Try again shortly.'),
  );
  const hash = (password: string): Promise<string> =>
    Bun.password.hash(prepare(password), { algorithm: 'argon2id', ...cost });
  const nobody = hashOfNothing(cost);

  const current = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},`;
  return {
    isOutdated: (known) => known.startsWith('$') && !known.startsWith(current),
    hash: (password) => semaphore.run(() => hash(password)),
    verify: (password, known) =>
      semaphore.run(async () => {
        const usable = password !== '' && Buffer.byteLength(password) <= passwordMaxBytes;
        // What is stored of an account without a password is no hash.
        const hash = known?.startsWith('$') === true ? known : undefined;
        const candidate = usable ? prepare(password) : 'unusable';
        const matches = await Bun.password.verify(candidate, hash ?? nobody).catch((error) => {
          if (hash === undefined) throw error;
          // An import can bring a hash in that looks like one and cannot be read: no password is that of the account.
          return Bun.password.verify(candidate, nobody);
        });
        return matches && usable && hash !== undefined;
      }),
  };
}

/**
 * A hash that no password matches (PHC string format), with random bytes as salt and digest. Verifying against it takes as
 * long as against any other; creating it takes no time.
 */
function hashOfNothing({ memoryCost, timeCost }: Cost): string {
  const bytes = (): string => randomBytes(32).toString('base64').replace('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${bytes()}$${bytes()}`;
}

/** RFC 8265, section 4.2: a password is compared in normalisation form C, however it was typed. */
const prepare = (password: string): string => password.normalize('NFC');
