import { createClient, RectoError } from '@recto/client';

export interface SetUp {
  /** Where the service is. */
  readonly url: string;
  /** The password that the service generated for the first admin. */
  readonly code: string;
  readonly email: string;
  readonly password: string;
}

/** The address of the first admin whose password is generated. */
const firstAdmin = 'admin@recto.local';

/**
 * Gives the first admin another address and password, which the code proves to be allowed. It is the password of that account, so it works once,
 * and as often as any password can be tried. May be called again after it failed, with what went wrong put right.
 */
export async function setUp({ url, code, email, password }: SetUp): Promise<void> {
  // In memory: whoever sets up signs in afterwards.
  const client = createClient({ url });
  try {
    await client.auth.login({ email: firstAdmin, password: code });
  } catch (error) {
    // The address was changed by an earlier call, whose password was rejected.
    if (!(error instanceof RectoError) || !error.is('invalid_credentials')) throw error;
    await client.auth.login({ email, password: code });
  }
  const moveTo = async (current_password: string): Promise<void> => {
    const me = await client.auth.me();
    if (me.email !== email) await client.auth.update({ email, current_password });
  };
  await moveTo(code);
  await client.auth.changePassword({ current_password: code, new_password: password });
  // Of two who use the code at the same time, one has just ended the session of the other, who may have set an address before.
  await moveTo(password);
  await client.auth.logout();
}

/** The code behind the `#` of the address. */
export function codeOf(hash: string): string {
  const text = hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
