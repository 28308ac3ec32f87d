import Type from 'typebox';
import { invalid } from '../../base/problem.ts';
import { textFaults } from '../../http/bodies/text-faults.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { releaseStatuses } from '../../releases/release.ts';
import { type ReleaseParts, releaseCaller, releasesCommon, releasesRoot, shownRelease } from './release-parts.ts';
import {
  itemJson,
  newRelease,
  releaseChange,
  releaseJson,
  releaseSchema,
  wholeReleaseSchema,
} from './release-schemas.ts';
import { knownTime, readTimes } from './release-times.ts';

const createBody = new CheckedBody(newRelease);
const changeBody = new CheckedBody(releaseChange);
const parameters = Type.Object({
  ...pageParameters,
  status: Type.Optional(Type.Enum([...releaseStatuses], { description: 'Only releases in this state.' })),
});

/** Releases themselves, without what is in them. */
export const releaseOperations = (parts: ReleaseParts): readonly Operation[] => [
  {
    ...releasesCommon,
    id: 'listReleases',
    method: 'GET',
    path: releasesRoot,
    summary: 'List releases',
    description: 'The newest first, without their items.',
    query: { schema: parameters, validation: 'schema' },
    responses: readResponses('One page of releases.', pageSchema('ReleaseList', releaseSchema)),
    problems: [400, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const page = readPage(context.query, parts.maxPageSize);
      const status = releaseStatuses.find((one) => one === context.query.status);
      const tenant = caller.tenant ?? caller.visited ?? null;
      const now = new Date(parts.now()).toISOString();
      const { releases, total } = await parts.store.page({ tenant, status, now }, page);
      const items = [];
      for (const release of releases) items.push(await shownRelease(parts, caller, release));
      return jsonRead(context.request, { items, total, page: page.page, page_size: page.pageSize });
    },
  },
  {
    ...releasesCommon,
    id: 'createRelease',
    method: 'POST',
    once: true,
    path: releasesRoot,
    summary: 'Create a release',
    description:
      'A name for changes of records that are published together. `scheduled_at` is a plan: `schedule` makes it hold.',
    body: createBody.declaration,
    responses: { 201: { description: 'The release.', schema: releaseSchema, headers: locationHeader } },
    problems: [400, 422, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const { name, description = '', ...times } = await createBody.read(context);
      const unstorable = textFaults({ name, description });
      if (unstorable.length > 0) throw invalid(unstorable);
      const input = { name, description, scheduledAt: null, timeZone: null, ...readTimes(times, null) };
      const releases = await parts.releases();
      return context.respondInTransaction(
        (run) => parts.records.database.transaction(run),
        (transaction) => releases.create(transaction, caller, input),
        (release) =>
          jsonReply(201, releaseJson(release, parts.now(), []), { Location: `${releasesRoot}/${release.id}` }),
      );
    },
  },
  {
    ...releasesCommon,
    id: 'getRelease',
    method: 'GET',
    path: `${releasesRoot}/{id}`,
    params: idParams,
    summary: 'Get a release with its items',
    description: 'Of the items, those of records that you may get, and of their changes the fields that you read.',
    responses: readResponses('The release.', wholeReleaseSchema),
    problems: [400, 404, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const releases = await parts.releases();
      const release = await releases.get(caller, context.param('id'));
      const { items } = await releases.itemsFor(caller, release.id);
      const sight = releases.sight(caller);
      const shown = await shownRelease(parts, caller, release);
      return jsonRead(context.request, { ...shown, items: items.map((item) => itemJson(item, sight)) });
    },
  },
  {
    ...releasesCommon,
    id: 'updateRelease',
    method: 'PUT',
    path: `${releasesRoot}/{id}`,
    params: idParams,
    summary: 'Change a release',
    description: 'Members that are left out stay. The time of one that is scheduled stays until that is cancelled.',
    body: changeBody.declaration,
    responses: { 200: { description: 'The release.', schema: releaseSchema } },
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const { name, description, scheduled_at, time_zone, known_at } = await changeBody.read(context);
      const unstorable = textFaults({ name, description });
      if (unstorable.length > 0) throw invalid(unstorable);
      const releases = await parts.releases();
      const id = context.param('id');
      const present = await releases.get(caller, id);
      // What is sent as it is, is no change.
      const times = {
        ...(scheduled_at === undefined || scheduled_at === present.scheduledAt ? {} : { scheduled_at }),
        ...(time_zone === undefined || time_zone === present.timeZone ? {} : { time_zone }),
      };
      const input = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...readTimes(times, present.timeZone),
      };
      const release = await parts.records.database.transaction((transaction) =>
        releases.update(transaction, caller, id, input, knownTime(known_at)),
      );
      return json(200, await shownRelease(parts, caller, release));
    },
  },
  {
    ...releasesCommon,
    id: 'deleteRelease',
    method: 'DELETE',
    path: `${releasesRoot}/{id}`,
    params: idParams,
    summary: 'Delete a release',
    description: 'Its records stay as they are. One that is published can then not be taken back any more.',
    responses: { 204: { description: 'The release is gone.' } },
    problems: [400, 404, 409, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const releases = await parts.releases();
      await parts.records.database.transaction((transaction) =>
        releases.remove(transaction, caller, context.param('id')),
      );
      return noContent();
    },
  },
];
