import type { AuthServices } from '../../auth/auth-services.ts';
import type { ContentType, ContentTypes, EndpointName } from '../../definition/content-type.ts';
import { isFoundBySlug } from '../../definition/slug-field.ts';
import type { Operation } from '../../http/operation.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { batchActionsOf } from '../../records/batch/batch-action.ts';
import type { Records } from '../../records/records.ts';
import { accessOperation } from './access-operation.ts';
import { aggregateOperations } from './aggregate-operation.ts';
import { batchOperation } from './batch-operation.ts';
import { duplicateOperation } from './duplicate-operation.ts';
import { languageOperations } from './language-operation.ts';
import { protocolOperations } from './protocol-operations.ts';
import { type CmsRoute, recordOperation, slugEnding } from './record-operation.ts';
import { usageOperation } from './usage-operation.ts';

/**
 * The generated routes of all content types (service specification, section 4.4): for each its public routes, in RESTful
 * or simple mode or as a single type, its admin routes, and those that its protocols add.
 */
export function cmsOperations(
  types: ContentTypes,
  records: Records,
  { jobs, auth }: { readonly jobs: Jobs; readonly auth: AuthServices },
): readonly Operation[] {
  const generated = types.all.filter(({ ownRoutes }) => ownRoutes !== true);
  return generated.flatMap((type) => {
    const operations = [
      ...[...publicRoutes(type), ...adminRoutes(type)].map((route) => recordOperation(type, records, route)),
      ...aggregateOperations(type, records, { path: `/api/v1/cms/${type.plural}`, admin: false }),
      ...aggregateOperations(type, records, { path: `/api/v1/admin/cms/${type.plural}`, admin: true }),
      batchOperation(type, records, { base: `/api/v1/admin/cms/${type.plural}`, actions: batchActionsOf(type), jobs }),
      ...(type.kind === 'single' ? [] : [duplicateOperation(type, records, `/api/v1/admin/cms/${type.plural}/{id}`)]),
      ...protocolOperations(type, records),
      usageOperation(type, records),
      accessOperation(type, records, auth),
      ...languageOperations(type, records),
    ];
    return type.partition === null ? operations : operations.map(naming);
  });
}

/** The same operation, whose requests may name a tenant. */
const naming = (operation: Operation): Operation => ({
  ...operation,
  headers: { ...operation.headers, ...tenantHeaders },
  problems: [...operation.problems, 403],
});

function publicRoutes(type: ContentType): readonly CmsRoute[] {
  const base = `/api/v1/cms/${type.kind === 'single' ? type.singular : type.plural}`;
  if (type.kind === 'single') return [route('GET', base, 'get'), route('PUT', base, 'update')];
  const reads = [
    route('GET', base, 'list'),
    route('GET', `${base}/{id}`, 'get'),
    ...(isFoundBySlug(type) ? [route('GET', `${base}${slugEnding}`, 'get')] : []),
  ];
  const writes = type.restful
    ? [route('POST', base, 'create'), route('PUT', `${base}/{id}`, 'update'), route('DELETE', `${base}/{id}`, 'delete')]
    : [
        route('POST', `${base}/create`, 'create'),
        route('POST', `${base}/{id}/update`, 'update'),
        route('POST', `${base}/{id}/delete`, 'delete'),
      ];
  return [...reads, ...writes];
}

function adminRoutes(type: ContentType): readonly CmsRoute[] {
  const base = `/api/v1/admin/cms/${type.plural}`;
  return [
    { ...route('GET', base, 'list'), admin: true },
    { ...route('GET', `${base}/{id}`, 'get'), admin: true },
    { ...route('POST', base, 'create'), admin: true },
    { ...route('PUT', `${base}/{id}`, 'update'), admin: true },
    { ...route('DELETE', `${base}/{id}`, 'delete'), admin: true },
  ];
}

const route = (method: CmsRoute['method'], path: string, action: EndpointName): CmsRoute => ({
  method,
  path,
  action,
  admin: false,
});
