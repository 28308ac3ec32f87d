import type { FirstAdmin } from '../auth/first-admin.ts';
import type { Logger } from '../base/logger.ts';
import type { GivenSettings } from '../config/settings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { ContentTypeDefinition } from '../definition/define-content-type.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Records } from '../records/records.ts';

/** What `createRecto` takes; everything has a default. */
export interface RectoOptions {
  /**
   * Settings by their names in camel case (`dataDir` is `RECTO_DATA_DIR`), each as an environment variable or `recto.toml` would
   * hold it. One that is left out has its default: neither the environment nor `recto.toml` is read.
   */
  readonly settings?: GivenSettings;
  /** The content types. Default: those of the files in `settings.contentTypesDir`. */
  readonly definitions?: readonly ContentTypeDefinition[];
  /** Default: JSON lines on stderr, from `settings.logLevel` up. */
  readonly log?: Logger;
}

export interface StartOptions {
  /** `false`: opens no port; requests come only through `fetch`. */
  readonly listen?: boolean;
}

/** A service that has started. */
export interface Started {
  /** Where it listens, such as `http://127.0.0.1:9898`; null where it opened no port. */
  readonly url: string | null;
  /** The first admin, if this start created it. A generated password is shown here and nowhere else. */
  readonly firstAdmin: FirstAdmin | undefined;
}

/** Where `fetch` finds a caller's address; `Bun.serve` passes its server, which is one. */
export interface AddressSource {
  requestIP(request: Request): { readonly address: string } | null;
}

/** A content service in this process. */
export interface Recto extends AsyncDisposable {
  /**
   * Answers one request, from `createRecto` on: no port and no `start` is needed. Never rejects. Can be passed to
   * `Bun.serve({ fetch: recto.fetch })`; without a second argument, rate limits treat all callers as one.
   */
  readonly fetch: (request: Request, server?: AddressSource) => Response | Promise<Response>;
  /** The records of all types, without HTTP. */
  readonly records: Records;
  /** The log of all committed changes. */
  readonly events: EventLog;
  /** The content types, as of the last request. */
  readonly types: ContentTypes;
  /**
   * Creates the first admin where there is none, runs background work (such as scheduled publishing), and listens on `settings.host`
   * and `settings.port`. Once only. Rejects with a `FatalError` where it cannot; everything is stopped then.
   */
  start(options?: StartOptions): Promise<Started>;
  /**
   * Takes no new requests, finishes those that run and closes the database, within 5 seconds. A server that was given `fetch`
   * should be stopped before.
   */
  stop(): Promise<void>;
}
