import { randomUUID } from 'node:crypto';
import { type ContentReader, createReader } from '@recto/client';
import { type AdminClient, createAdminClient } from '@recto/client/admin';
import type { Content } from './content.ts';

// Who is signed in. A browser has a cookie with a random name of its session; the tokens stay here, in a client for each session, which
// renews them. They end with this program: on several machines, give `createAdminClient` a session store that all of them share.

export type Recto = AdminClient<Content>;

export const url = process.env.CMS_URL ?? 'http://localhost:9898';

/** Reads what a preview token shows. */
export const previewOf = (token: string): ContentReader<Content> => createReader<Content>({ url, token });

/** The sessions, the one used last at the end. */
const sessions = new Map<string, Recto>();
const mostSessions = 10_000;

/** The client of a session; without one, a client that is not signed in. */
export function clientOf(session: string | undefined): Recto {
  const known = session === undefined ? undefined : sessions.get(session);
  if (session === undefined || known === undefined) return createAdminClient<Content>({ url });
  sessions.delete(session);
  sessions.set(session, known);
  return known;
}

/** Signs in, and returns the name of the session. Throws `RectoError`. */
export async function signIn(email: string, password: string): Promise<string> {
  const recto = createAdminClient<Content>({ url });
  await recto.auth.login({ email, password });
  const session = randomUUID();
  recto.auth.onEnd(() => sessions.delete(session));
  sessions.set(session, recto);
  const [oldest] = sessions.keys();
  if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
  return session;
}

/** Ends a session, here even if the service cannot be reached. */
export async function signOut(session: string): Promise<void> {
  const recto = sessions.get(session);
  sessions.delete(session);
  await recto?.auth.logout().catch(() => undefined);
}
