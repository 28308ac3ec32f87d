import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ContentType } from '../content-type.ts';
import type { DefinitionSource } from '../definition-source.ts';
import type { Report } from '../type-draft.ts';
import type { ReadRole } from './check-roles.ts';
import { anyType, type CompiledRole, type Grant, type OwnRoles, roleActions, type TypeGrant } from './role.ts';

// The end of the check: whatever the checks before it have let through, a restriction that is not in the compiled role would be
// none. Nothing here is found unless one of them has a hole.

const remedy = 'check what it refers to; if that is correct, please report this as a bug in Recto';

/** Reports what roles say and their compiled forms do not do. `sources` are all that were given. */
export function checkCompiledRoles(
  sources: readonly DefinitionSource[],
  read: readonly ReadRole[],
  { roles, types }: { readonly roles: OwnRoles; readonly types: readonly ContentType[] },
  reporterOf: (source: DefinitionSource) => Report,
): void {
  const files = new Set(read.map(({ source }) => source));
  for (const source of sources) {
    if (!files.has(source.file)) reporterOf(source)('', 'this role was not compiled', remedy);
  }
  for (const draft of read) {
    const role = roles.find(draft.written.name ?? '');
    if (role === undefined || role.written !== draft.written) draft.report('', 'the role was not compiled', remedy);
    else for (const path of notApplied(draft.plain, role, types)) draft.report(path, 'this is not applied', remedy);
  }
}

/** The types whose rights are written in `may`. */
const ruledByMay = new Set(['media', 'comment']);

/** The paths of what a role as it was written says, and its compiled form does not do. */
export function notApplied(plain: JsonValue, role: CompiledRole, types: readonly ContentType[]): readonly string[] {
  if (!isTable(plain)) return [''];
  const written = isTable(plain.types) ? plain.types : {};
  return types.flatMap(({ singular }) => {
    const grant = role.types.get(singular);
    const own = written[singular] ?? written[anyType];
    if (grant === undefined) return [`types.${singular}`];
    if (ruledByMay.has(singular) || !isTable(own)) return [];
    const actions = roleActions.filter((action) => !isSame(own[action], grant[action]));
    const fields = (['read', 'write'] as const).filter((part) => !isWithin(own[part], part, grant));
    return [...actions, ...fields].map((name) => `types.${singular}.${name}`);
  });
}

function isSame(written: JsonValue | undefined, made: Grant): boolean {
  if (written === undefined) return true;
  if (typeof written === 'boolean') return made === written;
  return typeof made === 'object' && made.source === written && made.uncompiled !== true;
}

function isWithin(written: JsonValue | undefined, part: 'read' | 'write', grant: TypeGrant): boolean {
  if (written === undefined) return true;
  if (!isTable(written)) return false;
  const { only, except }: Table = written;
  const names = [...grant[part]].filter((name) => part === 'write' || name !== 'id');
  if (Array.isArray(only)) return except === undefined && names.every((name) => only.includes(name));
  return Array.isArray(except) && !names.some((name) => except.includes(name));
}
