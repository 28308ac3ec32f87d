import { adminAddress } from '../agent-requests.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, etagArgument, idArgument, textOf, typeArgument, valuesArgument } from './arguments.ts';
import { draftedType } from './known-type.ts';
import { rejectStatus, writtenRecord } from './written-record.ts';

/** Changes a record that is not published, or the draft of one that is. */
export const updateDraft: Tool = {
  name: 'update_draft',
  title: 'Update a draft',
  description:
    'Changes fields of a record that is not published, or of the draft of a published one, which stays as it is.',
  inputSchema: argumentsOf({ type: typeArgument, id: idArgument, if_match: etagArgument, values: valuesArgument }),
  from: 'drafts',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run(given, call) {
    const { type, drafts } = draftedType(textOf(given, 'type'), call);
    const values = given.values as Readonly<Record<string, unknown>>;
    rejectStatus(values, drafts);
    const path = `${adminAddress(type)}/${encodeURIComponent(textOf(given, 'id'))}`;
    const { column, value } = drafts.published;
    const { json } = await call.requests.send({ method: 'GET', path, query: { fields: `id,${column}` } });
    const isPublished = json[column] === value;
    // If it is published in between, its tag is another one, and the write is refused.
    const answer = await call.requests.send({
      method: 'PUT',
      path,
      ...(isPublished ? { query: { draft: 'true' } } : {}),
      ifMatch: textOf(given, 'if_match'),
      body: values,
    });
    return { ...writtenRecord(answer, type, drafts, 'change'), draft: isPublished };
  },
};
