import type { Publishing } from '../../editor/publishing.ts';

/** Why a card stays in its column. */
export type MoveFault =
  /** The type leaves the change to these roles, beside admins. */
  | { readonly kind: 'roles'; readonly roles: readonly string[] }
  /** The person may not change anything into or out of the published status. */
  | { readonly kind: 'publish' }
  /** No transition leads there; `next`: where they lead. */
  | { readonly kind: 'way'; readonly next: readonly string[] };

/** What speaks against moving a record from one status to another, as far as is known before it is asked for; undefined: nothing. */
export function moveFaultOf(publishing: Publishing | undefined, from: string, to: string): MoveFault | undefined {
  if (publishing === undefined || from === to) return undefined;
  const { transitions, published, mayPublish, role } = publishing;
  const moves = transitions?.[from] ?? [];
  const move = moves.find((each) => each.to === to);
  if (transitions !== undefined && move === undefined) return { kind: 'way', next: moves.map((each) => each.to) };
  const roles = role === 'admin' ? undefined : move?.roles;
  if (roles !== undefined && (role === undefined || !roles.includes(role))) return { kind: 'roles', roles };
  return !mayPublish && (from === published || to === published) ? { kind: 'publish' } : undefined;
}
