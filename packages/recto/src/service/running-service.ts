import { makeFirstAdmin } from '../auth/first-admin.ts';
import type { Logger } from '../base/logger.ts';
import { version } from '../base/version.ts';
import { welcomeText } from '../cli/welcome.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { ownTypes } from '../http/type-address.ts';
import type { ServiceParts } from './service-parts.ts';

export interface RunningService {
  /** `http://127.0.0.1:9898`. */
  readonly url: string;
  /** Is not ready from now on; takes no new requests, finishes what runs, closes the database. Takes 5 seconds at most. */
  stop(): Promise<void>;
}

export interface Surroundings {
  readonly log: Logger;
  /** Where the welcome goes, for a person. */
  readonly out: (text: string) => void;
}

/** What the log tells of a start. */
export const startedFields = (url: string, types: ContentTypes): object => ({
  url,
  version,
  types: ownTypes(types.all).length,
  // It counts from the start of the process, so that loading the program is part of it.
  duration_ms: Math.round(performance.now()),
});

/** The first admin is made when the port is known to be ours: a password that was generated must come to be seen. */
export async function welcome(
  url: string,
  { auth, definitions, firstAdmin }: Pick<ServiceParts, 'auth' | 'definitions' | 'firstAdmin'>,
  { settings, out }: { readonly settings: Settings; readonly out: Surroundings['out'] },
): Promise<void> {
  const admin = firstAdmin === undefined ? undefined : await makeFirstAdmin(auth, firstAdmin);
  out(welcomeText({ url, settings, types: definitions.current.types.all, admin }));
}
