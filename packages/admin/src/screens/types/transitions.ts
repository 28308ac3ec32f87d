export type Json = Readonly<Record<string, unknown>>;

/** A status that may follow another one; without roles, whoever may change the record may give it. */
interface WrittenMove {
  readonly to: string;
  readonly roles: readonly string[];
}

/** The moves from a status, in the order in which they are written. */
export function movesFrom(transitions: Json, from: string): readonly WrittenMove[] {
  const moves = Object.hasOwn(transitions, from) ? transitions[from] : undefined;
  return Array.isArray(moves) ? moves.map(readMove) : [];
}

/** What is no move keeps its place, so that the places of others are those of the definition. */
function readMove(written: unknown): WrittenMove {
  if (typeof written === 'string') return { to: written, roles: [] };
  if (typeof written !== 'object' || written === null) return { to: '', roles: [] };
  const { to, roles }: Json = { ...written };
  return {
    to: typeof to === 'string' ? to : '',
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
  };
}

const written = ({ to, roles }: WrittenMove): unknown => (roles.length === 0 ? to : { to, roles });

/** Transitions with a move for these roles, none of them for everyone; undefined: without the move. */
export function withMove(transitions: Json, from: string, to: string, roles: readonly string[] | undefined): Json {
  const moves = movesFrom(transitions, from);
  const place = moves.findIndex((move) => move.to === to);
  const others = moves.filter((move) => move.to !== to);
  const next =
    roles === undefined ? others : place === -1 ? [...moves, { to, roles }] : moves.with(place, { to, roles });
  return { ...transitions, [from]: next.map(written) };
}

/** Transitions between these statuses alone. */
export const transitionsAmong = (transitions: Json, statuses: readonly string[]): Json =>
  Object.fromEntries(
    Object.keys(transitions)
      .filter((from) => statuses.includes(from))
      .map((from) => [
        from,
        movesFrom(transitions, from)
          .filter(({ to }) => statuses.includes(to))
          .map(written),
      ]),
  );
