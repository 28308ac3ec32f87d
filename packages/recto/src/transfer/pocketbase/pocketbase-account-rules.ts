import type { LeftOut } from '../importers/importer.ts';
import type { PocketbaseCollection } from './pocketbase-collections.ts';

/** What auth collections say of who makes and manages accounts, which no definition says here. */
export function accountRules(
  { name, type, rules, options }: PocketbaseCollection,
  isAccounts: boolean,
): readonly LeftOut[] {
  if (type !== 'auth') return [];
  const { manageRule } = options;
  return [
    ...(isAccounts ? [{ place: `${name} createRule`, why: registration(rules.createRule) }] : []),
    ...(typeof manageRule === 'string'
      ? [
          {
            place: `${name} manageRule`,
            why: `${JSON.stringify(manageRule)} lets some manage accounts. Only admins do here.`,
          },
        ]
      : []),
  ];
}

/** An account is all that a rule such as `@request.auth.id != ""` asks for: it matters who gets one. */
function registration(rule: string | null): string {
  if (rule === '') return 'Accounts are made at /auth/register; only admins make profiles.';
  const who =
    rule === null ? 'Only superusers make accounts' : `Those for whom ${JSON.stringify(rule)} holds make accounts`;
  return `${who} there. Here everyone may register, and passes rules that ask for an account, unless RECTO_REGISTRATION=closed is set.`;
}
