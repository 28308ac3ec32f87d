import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { batchActionsOf } from '../../records/batch/batch-action.ts';
import type { Records } from '../../records/records.ts';
import { aggregateOperations } from '../records/aggregate-operation.ts';
import { batchOperation } from '../records/batch-operation.ts';
import { draftOperations } from '../records/draft-operations.ts';
import { duplicateOperation } from '../records/duplicate-operation.ts';
import { languageOperations } from '../records/language-operation.ts';
import { recordOperation } from '../records/record-operation.ts';
import { reorderOperation } from '../records/reorder-operation.ts';
import { revisionOperations } from '../records/revision-operations.ts';
import { feedOperation } from './feed-operation.ts';
import { sitemapOperation } from './sitemap-operation.ts';
import { statusOperation } from './status-operation.ts';
import { tagsOperation } from './tags-operation.ts';

export interface PublicationParts {
  readonly types: ContentTypes;
  readonly records: Records;
  /** What the links of sitemaps and feeds begin with; undefined: the API itself, as the request found it. */
  readonly publicUrl: string | undefined;
}

/** The types that are published, and whether editors set their order. */
const publications = [
  { singular: 'page', ordered: true },
  { singular: 'post', ordered: false },
] as const;

/** The routes of pages (service specification, section 4.1) and those of posts, which are the same without an order. */
export function publicationOperations({ types, records, publicUrl }: PublicationParts): readonly Operation[] {
  const post = types.find('post');
  const ofPosts = post?.builtIn === true ? postOperations(post, records, publicUrl) : [];
  const ofAll = publications.flatMap(({ singular, ordered }) => {
    const type = types.find(singular);
    if (type?.builtIn !== true) return [];
    return [
      ...publicOperations(type, records),
      sitemapOperation(type, records, publicUrl),
      ...adminOperations(type, records),
      ...(ordered
        ? [reorderOperation(type, records, { base: `/api/v1/admin/${type.plural}`, column: 'sort_order' })]
        : []),
    ];
  });
  return [...ofAll, ...ofPosts];
}

/** What posts have besides. */
const postOperations = (post: ContentType, records: Records, publicUrl: string | undefined): readonly Operation[] => [
  tagsOperation(post, records),
  feedOperation(post, records, { format: 'xml', publicUrl }),
  feedOperation(post, records, { format: 'json', publicUrl }),
];

function publicOperations(type: ContentType, records: Records): readonly Operation[] {
  const path = `/api/v1/${type.plural}`;
  const location = ({ record }: { readonly record: Readonly<Record<string, unknown>> }) => `${path}/${record.slug}`;
  return [
    recordOperation(type, records, { method: 'GET', path, action: 'list', admin: false }),
    recordOperation(type, records, { method: 'GET', path: `${path}/{slug}`, action: 'get', admin: false }),
    // Editors create them here too: there is no route of the admin for it.
    recordOperation(type, records, {
      ...{ method: 'POST', path, action: 'create', admin: false, location },
      right: { type: type.singular, action: 'create' },
    }),
    ...aggregateOperations(type, records, { path, admin: false }),
  ];
}

function adminOperations(type: ContentType, records: Records): readonly Operation[] {
  const path = `/api/v1/admin/${type.plural}`;
  const one = `${path}/{id}`;
  return [
    recordOperation(type, records, { method: 'GET', path, action: 'list', admin: true }),
    recordOperation(type, records, { method: 'GET', path: one, action: 'get', admin: true }),
    recordOperation(type, records, { method: 'PUT', path: one, action: 'update', admin: true }),
    recordOperation(type, records, { method: 'DELETE', path: one, action: 'delete', admin: true }),
    ...aggregateOperations(type, records, { path, admin: true }),
    duplicateOperation(type, records, one),
    statusOperation(type, records),
    ...draftOperations(type, records, one),
    ...revisionOperations(type, records, one),
    ...languageOperations(type, records, { admin: path }),
    batchOperation(type, records, { base: path, actions: batchActionsOf(type) }),
  ];
}
