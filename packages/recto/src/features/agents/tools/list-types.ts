import Type from 'typebox';
import { draftsOf } from '../../../records/drafts/draft.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf } from './arguments.ts';
import { readTypes } from './known-type.ts';

const pageSize = 100;

/** The content types that the caller reads. */
export const listTypes: Tool = {
  name: 'list_types',
  title: 'List content types',
  description: 'Lists the content types, and whether you may create, change and publish drafts of their records.',
  inputSchema: argumentsOf({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
  from: 'read',
  annotations: { readOnlyHint: true },
  async run({ page = 1 }, call) {
    const all = readTypes(call);
    const start = (Number(page) - 1) * pageSize;
    const types = all.slice(start, start + pageSize).map(({ type, may }) => {
      const writes = call.mode !== 'read' && type.kind !== 'single' && draftsOf(type) !== undefined;
      return {
        type: type.singular,
        name: type.name,
        create: writes && may.create !== 'none',
        update: writes && may.update !== 'none',
        publish: writes && call.mode === 'publish' && may.publish !== 'none',
      };
    });
    return { types, total: all.length, ...(start + types.length < all.length ? { next_page: Number(page) + 1 } : {}) };
  },
};
