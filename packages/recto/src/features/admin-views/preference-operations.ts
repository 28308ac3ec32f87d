import type { PreferenceStore } from '../../admin-views/preference-store.ts';
import { preferenceLimits } from '../../admin-views/saved-view.ts';
import { conflict, invalid } from '../../base/problem.ts';
import type { Database } from '../../database/database.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { preferenceBody, preferenceJson, preferenceParams, preferenceSchema } from './admin-view-schemas.ts';
import { adminViewsCommon, callerOf } from './view-operations.ts';

const root = '/api/v1/admin/preferences';

export interface PreferenceOperationParts {
  readonly database: Database;
  readonly preferences: PreferenceStore;
  readonly now: () => number;
}

const body = new CheckedBody(preferenceBody);

/** What each person has chosen in the admin. Nobody reads those of another. */
export const preferenceOperations = ({
  database,
  preferences,
  now,
}: PreferenceOperationParts): readonly Operation[] => [
  {
    ...adminViewsCommon,
    id: 'listPreferences',
    method: 'GET',
    path: root,
    summary: 'List your preferences',
    description: 'All that you have set, by their names, on one page.',
    responses: readResponses('Your preferences.', pageSchema('PreferenceList', preferenceSchema)),
    problems: [503],
    handle: async (context) => {
      const own = await preferences.of(database, callerOf(context).id);
      return jsonRead(context.request, {
        items: own.map(preferenceJson),
        total: own.length,
        page: 1,
        page_size: Math.max(1, own.length),
      });
    },
  },
  {
    ...adminViewsCommon,
    id: 'setPreference',
    method: 'PUT',
    patch: false,
    path: `${root}/{name}`,
    params: preferenceParams,
    summary: 'Set a preference',
    description: `Any JSON value of at most ${preferenceLimits.bytes} bytes; ${preferenceLimits.preferences} for each owner: 409 \`too_many_preferences\`.`,
    body: body.declaration,
    responses: { 200: { description: 'The preference.', schema: preferenceSchema } },
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const { id: owner } = callerOf(context);
      const { value } = await body.read(context);
      const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
      if (bytes > preferenceLimits.bytes) {
        const message = `Must have at most ${preferenceLimits.bytes} bytes as JSON.`;
        throw invalid([{ field: 'value', code: 'too_long', message }]);
      }
      // It came as JSON.
      const preference = { name: context.param('name'), value: value as JsonValue, updatedAt: now() };
      await database.transaction(async (transaction) => {
        const others = await preferences.countBesides(transaction, owner, preference.name);
        if (others >= preferenceLimits.preferences)
          throw conflict('too_many_preferences', `At most ${preferenceLimits.preferences} preferences can be set.`);
        await preferences.set(transaction, owner, preference);
      });
      return json(200, preferenceJson(preference));
    },
  },
  {
    ...adminViewsCommon,
    id: 'deletePreference',
    method: 'DELETE',
    path: `${root}/{name}`,
    params: preferenceParams,
    summary: 'Delete a preference',
    description: 'What was chosen is forgotten. Also where there was nothing.',
    responses: { 204: { description: 'There is none.' } },
    problems: [404, 503],
    handle: async (context) => {
      await database.transaction((transaction) =>
        preferences.remove(transaction, callerOf(context).id, context.param('name')),
      );
      return noContent();
    },
  },
];
