import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { respondToWrite } from '../records/respond-to-write.ts';
import { type ReleaseParts, releaseCaller, releasesCommon, releasesRoot } from './release-parts.ts';
import { checkSchema, itemJson, releaseJson, releaseSchedule, releaseSchema, revertSchema } from './release-schemas.ts';
import { knownTime, readTimes } from './release-times.ts';

const scheduleBody = new CheckedBody(releaseSchedule);
const common = { ...releasesCommon, params: idParams, once: true } as const;
const releaseResponse = { 200: { description: 'The release.', schema: releaseSchema } };

/** What makes the changes of releases, and what takes them back. */
export const publishOperations = (parts: ReleaseParts): readonly Operation[] => [
  {
    ...releasesCommon,
    params: idParams,
    id: 'checkRelease',
    method: 'GET',
    path: `${releasesRoot}/{id}/check`,
    summary: 'Check a release',
    description:
      'Everything that speaks against publishing it now with your rights. It is found anew each time, by publishing the release and storing nothing.',
    responses: readResponses('The result.', checkSchema),
    problems: [400, 404, 503],
    handle: async (context) => {
      const releases = await parts.releases();
      const problems = await releases.check(releaseCaller(context), context.param('id'));
      return jsonRead(context.request, { ok: problems.length === 0, problems });
    },
  },
  {
    ...common,
    id: 'publishRelease',
    method: 'POST',
    path: `${releasesRoot}/{id}/publish`,
    summary: 'Publish a release',
    description:
      'All of it or nothing, in one transaction. 422 `release_not_ready` with every problem; 409 `draft_conflict` where records have been changed since they were added.',
    responses: releaseResponse,
    problems: [400, 403, 404, 409, 422, 503],
    handle: async (context) => {
      const releases = await parts.releases();
      const write = await releases.preparePublication(releaseCaller(context), context.param('id'));
      return respondToWrite(context, parts.records, write, (release) =>
        jsonReply(200, releaseJson(release, parts.now(), [])),
      );
    },
  },
  {
    ...common,
    id: 'scheduleRelease',
    method: 'POST',
    path: `${releasesRoot}/{id}/schedule`,
    summary: 'Schedule a release',
    description:
      'It is published at that time, with the rights that you have then. Until then it cannot be changed, but for its time where `known_at` is sent. A time that the clocks of the time zone skip is 422 `no_such_time`.',
    body: scheduleBody.declaration,
    responses: releaseResponse,
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const releases = await parts.releases();
      const id = context.param('id');
      const { timeZone } = await releases.get(caller, id);
      const { known_at: sent, ...asked } = await scheduleBody.read(context);
      const times = readTimes(asked, timeZone);
      const known = knownTime(sent);
      return context.respondInTransaction(
        (run) => parts.records.database.transaction(run),
        (transaction) => releases.schedule(transaction, caller, id, times, known),
        (release) => jsonReply(200, releaseJson(release, parts.now(), [])),
      );
    },
  },
  {
    ...common,
    id: 'cancelRelease',
    method: 'POST',
    path: `${releasesRoot}/{id}/cancel`,
    summary: 'Cancel the schedule of a release',
    description: 'It is open again.',
    responses: releaseResponse,
    problems: [400, 404, 409, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const releases = await parts.releases();
      return context.respondInTransaction(
        (run) => parts.records.database.transaction(run),
        (transaction) => releases.cancel(transaction, caller, context.param('id')),
        (release) => jsonReply(200, releaseJson(release, parts.now(), [])),
      );
    },
  },
  {
    ...common,
    id: 'revertRelease',
    method: 'POST',
    path: `${releasesRoot}/{id}/revert`,
    summary: 'Make a release that takes this one back',
    description:
      'A new release with the inverse of everything that this one has changed. `conflicts` names what speaks against publishing it, such as records that have been changed since.',
    responses: { 201: { description: 'The new release.', schema: revertSchema, headers: locationHeader } },
    problems: [400, 403, 404, 409, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const releases = await parts.releases();
      const { create, items, conflicts } = await releases.prepareRevert(caller, context.param('id'));
      const sight = releases.sight(caller);
      return context.respondInTransaction(
        (run) => parts.records.database.transaction(run),
        create,
        (release) => {
          const shown = { ...releaseJson(release, parts.now(), []), items: items.map((item) => itemJson(item, sight)) };
          return jsonReply(201, { ...shown, conflicts }, { Location: `${releasesRoot}/${release.id}` });
        },
      );
    },
  },
];
