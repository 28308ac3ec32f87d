import type { ContentType } from '../definition/content-type.ts';
import { isValue } from '../definition/stored-field.ts';
import type { TypePlan } from '../migrations/plan/type-plan.ts';

/** Describes the effects of a definition change, in sentences for the person about to make it. */
export function changeEffects(
  before: ContentType | undefined,
  after: ContentType | undefined,
  plan?: TypePlan,
): readonly string[] {
  if (after === undefined) return removalEffects(before);
  if (before === undefined) return creationEffects(after, plan);
  const effects = [...nameEffects(before, after), ...fieldEffects(before, after)];
  for (const part of ['protocols', 'unique', 'api'] as const) {
    if (!same(before.definition[part], after.definition[part])) effects.push(partEffects[part]);
  }
  if (plan?.reindexed === true) effects.push('The search index is rebuilt from all records.');
  return effects.length === 0 ? ['Nothing changes in what is stored or served.'] : effects;
}

const partEffects = {
  protocols: 'The protocols or their options change.',
  unique: 'Other sets of fields are unique together.',
  api: 'Access, rules or caching of the endpoints change.',
} as const;

const same = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b);

const removalEffects = (before: ContentType | undefined): readonly string[] =>
  before === undefined
    ? []
    : [
        `The type "${before.singular}" and its routes are gone.`,
        'Its records stay stored, and are available again when a type of this name is created again.',
      ];

function creationEffects({ singular }: ContentType, plan: TypePlan | undefined): readonly string[] {
  const made = plan?.created === true ? 'with a table of its own' : 'with the records that an earlier type left';
  return [`The type "${singular}" is created, ${made}.`];
}

function nameEffects(before: ContentType, after: ContentType): readonly string[] {
  const effects: string[] = [];
  if (before.plural !== after.plural) {
    effects.push(`The routes of "${before.plural}" are gone; there are those of "${after.plural}".`);
  }
  if (before.kind !== after.kind) effects.push(`The type becomes a ${after.kind}.`);
  if (before.restful !== after.restful) {
    effects.push(`Writes go through the ${after.restful ? 'RESTful' : 'simple'} routes.`);
  }
  return effects;
}

function fieldEffects(before: ContentType, after: ContentType): readonly string[] {
  const written = ({ definition }: ContentType, name: string): unknown =>
    definition.fields?.find((field) => field?.name === name);
  const added = after.fields.filter(({ name }) => !before.field.has(name));
  const gone = before.fields.filter(({ name }) => !after.field.has(name));
  const changed = after.fields.filter(
    ({ name }) => before.field.has(name) && !same(written(before, name), written(after, name)),
  );
  return [
    ...added.map((field) => {
      const filled = field.default !== undefined && isValue(field) && !field.unique;
      return `The field "${field.name}" is added${filled ? ', and existing records get its default' : ''}.`;
    }),
    ...gone.map(({ name }) => `The field "${name}" is no longer served; its values stay stored.`),
    ...changed.map(({ name }) => `The field "${name}" changes.`),
  ];
}
