import type { Role } from '../base/caller.ts';
import type { ContentType } from '../definition/content-type.ts';
import { perType } from '../definition/per-type.ts';
import { readTransitions, type Transitions } from '../definition/protocols/transitions.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import type { JsonValue } from '../values/value-kind.ts';

/** A move between stages of the work on a record that is not published. */
export interface StageMove {
  /** `on`: towards publishing; `back`: away from it. */
  readonly direction: 'on' | 'back';
  /** Whether it leaves the status of new records. */
  readonly isFirst: boolean;
  /** The roles that make the next move on; null: all that may change the record. */
  readonly deciders: ReadonlySet<Role> | null;
}

/** The stages of a type whose transitions lead to its published status. */
export interface Stages {
  readonly column: string;
  /** Undefined where the move is between no stages, or to the published one. */
  move(from: string | null, to: string | null): StageMove | undefined;
}

/** Undefined where the type has none. */
export const stagesOf = perType((type: ContentType): Stages | undefined => {
  const published = publishedStateOf(type.protocols);
  const options = type.protocols.find(({ protocol }) => protocol.name === 'statusable')?.options;
  const transitions = readTransitions(options?.transitions);
  if (published === undefined || options === undefined || transitions === undefined) return undefined;
  const left = stepsTo(published.value, transitions);
  const first = type.field.get(published.column)?.default;
  return {
    column: published.column,
    move: (from, to) => moveBetween({ left, transitions, first }, from, to),
  };
});

interface Graph {
  readonly left: ReadonlyMap<string, number>;
  readonly transitions: Transitions;
  readonly first: JsonValue | undefined;
}

function moveBetween(
  { left, transitions, first }: Graph,
  from: string | null,
  to: string | null,
): StageMove | undefined {
  const there = left.get(to ?? '');
  if (from === null || to === null || from === to || there === undefined || there === 0) return undefined;
  // What was published, or leads nowhere, was at no stage.
  const here = left.get(from);
  if (here === undefined || here === 0 || here === there) return undefined;
  const next = (transitions[to] ?? []).filter((move) => (left.get(move.to) ?? there) < there);
  const named = next.map(({ roles }) => roles);
  const deciders = named.includes(null) ? null : new Set(named.flatMap((roles) => roles ?? []));
  return { direction: there < here ? 'on' : 'back', isFirst: from === first, deciders };
}

/** How many moves there are from each status to the published one. */
function stepsTo(published: string, transitions: Transitions): ReadonlyMap<string, number> {
  const left = new Map([[published, 0]]);
  // A map is walked with what is added to it meanwhile.
  for (const [status, steps] of left)
    for (const [from, moves] of Object.entries(transitions))
      if (!left.has(from) && moves.some(({ to }) => to === status)) left.set(from, steps + 1);
  return left;
}
