import { createClient, RectoError } from '@recto/client';

export interface SetUp {
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
export async function setUp({ code, email, password }: SetUp): Promise<void> {
  // In memory: whoever sets up signs in afterwards.
  const client = createClient({ url: location.origin });
  try {
    await client.auth.login({ email: firstAdmin, password: code });
  } catch (error) {
    // The address was changed by an earlier call, whose password was rejected.
    if (!(error instanceof RectoError) || !error.is('invalid_credentials')) throw error;
    await client.auth.login({ email, password: code });
  }
  const me = await client.auth.me();
  if (me.email !== email) await client.auth.update({ email, current_password: code });
  const body = { current_password: code, new_password: password };
  await client.request('PUT', '/auth/me/password', { body });
}
