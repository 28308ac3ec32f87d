import type { MaybePromise } from '../base/maybe-promise.ts';

/** Answers everything below a path, beside the operations; of the two, an operation comes first. */
export interface Mount {
  /** `/admin`: this path and all below it. */
  readonly prefix: string;
  /** Throws a `Problem` where there is nothing. HEAD is asked as it comes. */
  handle(request: MountRequest): MaybePromise<Response>;
}

export interface MountRequest {
  readonly request: Request;
  /** Below the prefix, decoded: `/index.html`; empty for the prefix itself. */
  readonly path: string;
}

/** The mount of the longest prefix that a path is below. */
export function mountFor(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .reduce<Mount | undefined>(
      (best, mount) => (best && best.prefix.length >= mount.prefix.length ? best : mount),
      undefined,
    );
}
