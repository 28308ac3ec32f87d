import { exitCodes } from '../base/terminal.ts';
import { noteText, type SchemaNote } from '../migrations/plan/schema-note.ts';
import type { SchemaPlan } from '../migrations/plan/schema-plan.ts';
import { unusedName } from '../migrations/plan/unused-plan.ts';
import { sentences } from '../migrations/sync-schema.ts';
import type { Answer } from './answer.ts';

/** What a plan requires: nothing, the next start, `apply`, or a change of the definitions or the stored data. */
export type PlanWay = 'current' | SchemaNote['way'];

export function wayOf({ notes, steps }: SchemaPlan): PlanWay {
  const ways = new Set(notes.map(({ way }) => way));
  for (const way of ['refused', 'apply', 'start'] as const) if (ways.has(way)) return way;
  return steps.length > 0 ? 'start' : 'current';
}

/** A plan as `recto migrate plan` prints it. */
export function planAnswer(plan: SchemaPlan): Answer {
  const way = wayOf(plan);
  return {
    ok: way !== 'refused',
    ...(way === 'apply' ? { exitCode: exitCodes.waiting } : {}),
    text: planText(plan),
    json: planJson(plan),
  };
}

const headings: Readonly<Record<SchemaNote['way'], string>> = {
  refused: 'Not possible with the stored data:',
  apply: 'Made by "recto migrate apply":',
  start: 'Made by the next start:',
};

export function planText(plan: SchemaPlan): string {
  const way = wayOf(plan);
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ...(['refused', 'apply', 'start'] as const).map((one) => [headings[one], sentences(plan, one)] as const),
    ['Stored, and in no definition any more (--drop takes it away):', plan.unused.map(unusedName)],
    ['In SQL, in one transaction:', way === 'refused' ? [] : plan.steps.map(({ sql }) => statementText(sql))],
  ];
  const sections = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  if (way === 'current') sections.unshift('The database is as the definitions ask.\n');
  return sections.join('\n');
}

const statementText = (sql: string): string => `${sql}${sql.includes('--') ? '' : ';'}`.replaceAll('\n', '\n  ');

export const planJson = (plan: SchemaPlan) => ({
  state: wayOf(plan),
  changes: plan.notes.map((note) => ({ way: note.way, type: note.type, message: noteText(note) })),
  unused: plan.unused.map(unusedName),
  sql: wayOf(plan) === 'refused' ? [] : plan.steps.map(({ sql }) => sql),
});
