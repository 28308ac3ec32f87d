import { type AuthenticatedCaller, isAuthenticated } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import type { RequestContext } from '../../http/operation.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import type { Records } from '../../records/records.ts';
import type { Release } from '../../releases/release.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import type { Releases } from '../../releases/releases.ts';
import { typeNamed } from '../../webhooks/webhook-input.ts';
import { releaseJson } from './release-schemas.ts';

/** What the operations on releases work with. */
export interface ReleaseParts {
  readonly records: Records;
  readonly types: ContentTypes;
  readonly store: ReleaseStore;
  readonly now: () => number;
  readonly maxPageSize: number;
  /** Loaded when it is first used. */
  readonly releases: () => Promise<Releases>;
}

export const releasesRoot = '/api/v1/admin/releases';

/** What all of them have in common. */
export const releasesCommon = {
  tag: 'releases',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { may: 'releases' },
  headers: tenantHeaders,
} as const;

/** Who asks: the operations have roles. */
export function releaseCaller({ caller }: RequestContext): AuthenticatedCaller {
  if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
  return caller;
}

/** The content type that a path names; 404 for one of which the caller gets no records. */
export function releasedType({ types }: ReleaseParts, context: RequestContext): ContentType {
  const type = typeNamed(types, context.param('type'));
  if (type === undefined || rightsOf(context.caller, types.roles).of(type).rows.get === 'none') throw notFound();
  return type;
}

/** A release as its caller sees it. */
export async function shownRelease(parts: ReleaseParts, caller: AuthenticatedCaller, release: Release) {
  const { failure } = release;
  if (failure === null) return releaseJson(release, parts.now(), []);
  const sight = (await parts.releases()).sight(caller);
  const items = sight.isAll ? [] : await parts.store.items(release.id);
  return releaseJson(release, parts.now(), await sight.failure(failure, items));
}
