import Type from 'typebox';
import { type Caller, callerRole, type Role } from '../../base/caller.ts';
import { forbidden } from '../../base/problem.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A status that may follow another one. */
interface Move {
  readonly to: string;
  /** Who may make it, beside the role admin; null: everyone who may write the record. */
  readonly roles: readonly Role[] | null;
}

/** The moves from each status. One without an entry cannot change. */
export type Transitions = Readonly<Record<string, readonly Move[]>>;

/** JSON Schema of the option: statuses, or statuses with the roles that may move a record there. */
export const transitionsSchema = () =>
  Type.Record(
    Type.String(),
    Type.Array(
      Type.Union([
        Type.String(),
        Type.Object(
          { to: Type.String(), roles: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, uniqueItems: true }) },
          { additionalProperties: false },
        ),
      ]),
    ),
  );

/** Reads the option, of which the schema is checked. Undefined: any status may follow any other. */
export function readTransitions(option: JsonValue | undefined): Transitions | undefined {
  if (!isTable(option)) return undefined;
  return Object.fromEntries(
    Object.entries(option).map(([from, moves]) => [from, Array.isArray(moves) ? moves.flatMap(readMove) : []]),
  );
}

function readMove(written: JsonValue): readonly Move[] {
  if (typeof written === 'string') return [{ to: written, roles: null }];
  if (!isTable(written) || typeof written.to !== 'string' || !Array.isArray(written.roles)) return [];
  return [{ to: written.to, roles: written.roles.filter((role) => typeof role === 'string') }];
}

/** What is wrong with transitions of a type with these statuses. */
export function transitionFaults(transitions: Transitions, values: ReadonlySet<string>): readonly string[] {
  return Object.entries(transitions).flatMap(([from, moves]) => {
    const targets = moves.map(({ to }) => to);
    const twice = targets.filter((to, place) => targets.indexOf(to) < place);
    return [
      ...[from, ...targets].filter((name) => !values.has(name)).map((name) => `"${name}" is not one of the values`),
      ...twice.map((name) => `"${name}" follows "${from}" twice`),
    ];
  });
}

/** The roles that transitions name, with their places in the option. */
export const rolesIn = (transitions: Transitions): readonly { readonly path: string; readonly role: Role }[] =>
  Object.entries(transitions).flatMap(([from, moves]) =>
    moves.flatMap(({ roles }, place) =>
      (roles ?? []).map((role, index) => ({ path: `${from}[${place}].roles[${index}]`, role })),
    ),
  );

/**
 * Returns why a record cannot move from one status to another; undefined: it can. Throws 403 where the definition allows the move to
 * roles of which the caller has none.
 */
export function moveFault(
  transitions: Transitions | undefined,
  { from, to, caller }: { readonly from: unknown; readonly to: string; readonly caller: Caller },
): string | undefined {
  if (transitions === undefined || typeof from !== 'string' || to === from) return undefined;
  const next = movesFrom(transitions, from);
  const move = next.find((each) => each.to === to);
  if (move === undefined)
    return `The status is ${from}; ${next.length === 0 ? 'nothing follows it' : `it can become: ${next.map((each) => each.to).join(', ')}`}.`;
  if (!mayMake(move, caller)) throw notAllowed(to, [move]);
  return undefined;
}

/**
 * Throws 403 where a new record begins in a status that the caller could not give it step by step. Without roles in the
 * transitions, a record begins in any status.
 */
export function requireBeginning(
  transitions: Transitions | undefined,
  { first, status, caller }: { readonly first: string | undefined; readonly status: unknown; readonly caller: Caller },
): void {
  if (transitions === undefined || first === undefined || typeof status !== 'string' || status === first) return;
  const all = Object.values(transitions).flat();
  if (all.every(({ roles }) => roles === null) || isUnbound(caller)) return;
  const reached = new Set([first]);
  // A set is walked with what is added to it meanwhile.
  for (const from of reached)
    for (const move of movesFrom(transitions, from)) if (mayMake(move, caller)) reached.add(move.to);
  if (!reached.has(status))
    throw notAllowed(
      status,
      all.filter(({ to }) => to === status),
    );
}

const movesFrom = (transitions: Transitions, from: string): readonly Move[] =>
  Object.hasOwn(transitions, from) ? (transitions[from] ?? []) : [];

/** Admins make every move that there is, and so does the service at the time that somebody has set with the right to. */
const isUnbound = (caller: Caller): boolean => caller.isSystem === true || callerRole(caller) === 'admin';

const mayMake = ({ roles }: Move, caller: Caller): boolean =>
  roles === null || isUnbound(caller) || roles.includes(callerRole(caller) ?? '');

function notAllowed(to: string, moves: readonly Move[]) {
  const named = new Set(['admin', ...moves.flatMap(({ roles }) => roles ?? [])]);
  return forbidden('insufficient_role', `Only the role ${[...named].join(' or ')} may set status to ${to}.`);
}
