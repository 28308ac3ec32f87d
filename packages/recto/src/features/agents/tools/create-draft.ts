import { badRequest } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import type { Drafts } from '../../../records/drafts/draft.ts';
import { createAddress } from '../agent-requests.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, textOf, typeArgument, valuesArgument } from './arguments.ts';
import { draftedType } from './known-type.ts';
import { rejectStatus, writtenRecord } from './written-record.ts';

/** A new record that is not published. */
export const createDraft: Tool = {
  name: 'create_draft',
  title: 'Create a draft',
  description: 'Creates a record that is not published.',
  inputSchema: argumentsOf({ type: typeArgument, values: valuesArgument }),
  from: 'drafts',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async run(given, call) {
    const { type, drafts } = draftedType(textOf(given, 'type'), call);
    // The schema of the arguments: an object.
    const values = given.values as Readonly<Record<string, unknown>>;
    rejectStatus(values, drafts);
    const { column } = drafts.published;
    const answer = await call.requests.send({
      method: 'POST',
      path: createAddress(type),
      body: { ...values, [column]: firstStatus(type, drafts) },
    });
    return writtenRecord(answer, type, drafts, 'create');
  },
};

/** The status of a new record, which is not the one of published records, whatever the type's default is. */
function firstStatus(type: ContentType, { published: { column, value } }: Drafts): string {
  const field = type.field.get(column);
  const all = field?.options.enum_values ?? [];
  const first = [field?.default, ...all].find((each): each is string => typeof each === 'string' && each !== value);
  if (first === undefined) throw badRequest('no_drafts', `"${type.singular}" has no status but "${value}".`);
  return first;
}
