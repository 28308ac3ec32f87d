import { adminAddress } from '../agent-requests.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, etagArgument, idArgument, textOf, typeArgument } from './arguments.ts';
import { draftedType } from './known-type.ts';
import { writtenRecord } from './written-record.ts';

/** Publishes a record, or its draft. */
export const publishRecord: Tool = {
  name: 'publish',
  title: 'Publish a record or its draft',
  description: 'Makes a record, or the draft of a published one, public as it was last read.',
  inputSchema: argumentsOf({ type: typeArgument, id: idArgument, if_match: etagArgument }),
  from: 'publish',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run(given, call) {
    const { type, drafts } = draftedType(textOf(given, 'type'), call);
    const answer = await call.requests.send({
      method: 'POST',
      path: `${adminAddress(type)}/${encodeURIComponent(textOf(given, 'id'))}/publish`,
      ifMatch: textOf(given, 'if_match'),
    });
    return writtenRecord(answer, type, drafts, 'change');
  },
};
