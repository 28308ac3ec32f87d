import { builtInRoleNames } from '../../base/caller.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ContentType } from '../content-type.ts';
import type { DefinitionSource } from '../definition-source.ts';
import { plainDefinition } from '../plain-definition.ts';
import type { Report } from '../type-draft.ts';
import { compileRole, type RoleDraft } from './compile-role.ts';
import { type OwnRoles, ownRolesOf, type WrittenRole } from './role.ts';
import { checkRoleStructure } from './role-structure.ts';

/** A role that is read, before its rights are compiled. */
export interface ReadRole extends RoleDraft {
  readonly plain: JsonValue;
}

/** Reads roles and reports what is wrong with their shape and names. What is no table is left out. */
export function readRoles(
  sources: readonly DefinitionSource[],
  reporterOf: (source: DefinitionSource) => Report,
): readonly ReadRole[] {
  const byName = new Map<string, DefinitionSource>();
  return sources.flatMap((source) => {
    const report = reporterOf(source);
    const plain = plainDefinition(source.definition, report);
    const written = checkRoleStructure(plain, report);
    if (written === undefined) return [];
    checkName(written, { source, report, byName });
    return [{ written, report, plain, source: source.file, stored: source.stored === true }];
  });
}

function checkName(
  { name }: WrittenRole,
  {
    source,
    report,
    byName,
  }: {
    readonly source: DefinitionSource;
    readonly report: Report;
    readonly byName: Map<string, DefinitionSource>;
  },
): void {
  if (name === undefined) return;
  if (builtInRoleNames.some((role) => role === name)) {
    report('name', `the role "${name}" is built in, and cannot be changed`, 'choose another name', { code: 'taken' });
    return;
  }
  const other = byName.get(name);
  if (other === undefined) byName.set(name, source);
  else report('name', `${other.file} has a role "${name}" already`, 'choose another name', { code: 'taken' });
}

/** The names of roles, for the rules that name them. */
export const roleNames = (roles: readonly ReadRole[]): readonly string[] => [
  ...builtInRoleNames,
  ...roles.flatMap(({ written }) => written.name ?? []),
];

/** Compiles roles against the types; every error is reported. */
export const compileRoles = (roles: readonly ReadRole[], types: readonly ContentType[]): OwnRoles =>
  ownRolesOf(roles.map((role) => compileRole(role, types)));
