import Type from 'typebox';
import { idPattern } from '../fields/id-field.ts';
import { integerField } from '../fields/integer-field.ts';
import { relationField } from '../fields/relation-field.ts';
import { defineProtocol } from '../protocol.ts';
import { positionColumn, positionField } from './position-field.ts';
import { protocolField } from './protocol-field.ts';

const tree = { parent: 'parent_id', depth: 'depth', position: positionColumn } as const;

/** Levels of records below one another: what a move or a walk looks through. */
const deepest = 100;

const moveSchema = Type.Object(
  {
    [tree.parent]: Type.Union([Type.String({ format: 'uuid', pattern: idPattern }), Type.Null()], {
      description: 'The new parent; null: none.',
    }),
    [tree.position]: Type.Optional(
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ),
  },
  { additionalProperties: false },
);

/** Records below one another: no record is its own ancestor, and each knows how deep it stands. */
export const nestable = defineProtocol({
  name: 'nestable',
  kind: 'collection',
  fields: (_, owner) => [
    protocolField(tree.parent, relationField, {
      place: { shape: 'to_one', column: tree.parent, target: owner },
      writable: true,
      required: false,
      description: 'The record that this one stands below.',
    }),
    protocolField(tree.depth, integerField, {
      computed: true,
      default: 0,
      description: 'How many records stand above this one.',
    }),
    positionField,
  ],
  tree: () => tree,
  bookkeeping: [tree.depth],
  placeColumn: () => positionColumn,
  defaultSort: () => [{ column: positionColumn, direction: 'asc' }],
  async placeNew({ changed }, stored) {
    const parent = changed[tree.parent];
    const above = typeof parent === 'string' ? await stored.find(parent) : undefined;
    const last = (await stored.greatest(positionColumn)) ?? -1;
    return {
      [tree.depth]: above === undefined ? 0 : Number(above[tree.depth] ?? 0) + 1,
      [tree.position]: Math.min(last + 1, Number.MAX_SAFE_INTEGER),
    };
  },
  async storedFaults({ id, changed }, current, stored) {
    const parent = changed[tree.parent];
    if (typeof parent !== 'string' || parent === current?.[tree.parent]) return [];
    const { includes, levels } = await stored.below(tree.parent, id, parent);
    if (includes || parent === id) return [circular];
    const above = await stored.find(parent);
    return Number(above?.[tree.depth] ?? 0) + 1 + levels > deepest ? [tooDeep] : [];
  },
  actions: () => [
    {
      name: 'move',
      method: 'POST',
      summary: 'Put a record, and what is below it, elsewhere',
      input: moveSchema,
      places: tree.position,
      payload: (body) => ({ [tree.parent]: body[tree.parent] }),
      effect: (_moment, _current, body) => {
        const place = body[tree.position];
        return typeof place === 'number' ? { [tree.position]: place } : {};
      },
    },
  ],
});

const circular = { field: tree.parent, code: 'circular', message: 'A record cannot stand below itself.' };
const tooDeep = {
  field: tree.parent,
  code: 'too_deep',
  message: `Records can stand at most ${deepest} levels deep.`,
};
