import { type ApiTokenInput, readApiTokenInput } from '../auth/api-token-input.ts';
import type { ApiToken } from '../auth/api-token-store.ts';
import type { Role } from '../base/caller.ts';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { invalid } from '../base/problem.ts';
import type { Terminal } from '../base/terminal.ts';
import { readSettings, settingsFileName } from '../config/settings.ts';
import { ScopeNames } from '../features/accounts/scope-names.ts';
import { loadServed } from '../service/served-types.ts';
import { type AccountParts, withAccounts } from './account-database.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { requireRole } from './known-role.ts';
import { textTable } from './text-table.ts';

interface NewTokenOptions extends AnswerOptions {
  readonly role: Role;
  readonly tenant?: string;
  /** `90d`, or a time of RFC 3339. */
  readonly expires?: string;
  /** `articles:read,media:write`; absent: all rights of the role. */
  readonly scopes?: readonly string[];
}

/** `recto token create`: prints the token, which is shown only here. All functions here resolve with the exit code. */
export const createToken = (terminal: Terminal, name: string, options: NewTokenOptions): Promise<number> =>
  answer(terminal, options, () =>
    withAccounts(terminal, async ({ database, apiTokens, now }) => {
      const { role, tenant = null, expires, scopes } = options;
      await requireRole(terminal, role);
      const names = await scopeNames(terminal, scopes !== undefined);
      const faults = names.faults(scopes ?? []);
      if (faults.length > 0) throw invalid(faults);
      const expires_at = expires === undefined ? null : expiry(expires, now());
      const input: ApiTokenInput = { name, role, tenant_id: tenant, expires_at };
      const kept = scopes === undefined ? null : names.stored(scopes);
      const made = { ...readApiTokenInput(input, now()), scopes: kept, createdBy: null };
      const { apiToken, secret } = await apiTokens.create(database, made, now());
      const ends = apiToken.expiresAt === null ? 'without expiry' : `until ${apiToken.expiresAt}`;
      const rights = kept === null ? role : `${role}, ${names.shown(kept).join(' ')}`;
      const head = `Created "${apiToken.name}" (${rights}, ${ends}, ${apiToken.id}). The token is shown this once:`;
      return { text: `${head}\n${secret}\n`, json: { token: { ...tokenJson(apiToken, names), token: secret } } };
    }),
  );

/** The names of scopes, which are made of the content types. These are read only where they matter. */
const scopeNames = async ({ environment }: Terminal, matters: boolean): Promise<ScopeNames> =>
  new ScopeNames(matters ? (await loadServed(readSettings(environment, settingsFileName))).types.all : []);

/** The names to list scopes by. While the content types have errors, they are listed by singulars, as they are stored. */
const listedNames = (terminal: Terminal, tokens: readonly ApiToken[]): Promise<ScopeNames> =>
  scopeNames(
    terminal,
    tokens.some(({ scopes }) => scopes !== null),
  ).catch((error: unknown) => {
    if (error instanceof FatalError) return new ScopeNames([]);
    throw error;
  });

const dayMs = 86_400_000;

/** `90d` as the time 90 days from now; anything else as it is. */
function expiry(text: string, now: number): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  return days === undefined ? text : new Date(now + Number(days) * dayMs).toISOString();
}

/** `recto token revoke`. */
export const revokeToken = (terminal: Terminal, id: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withAccounts(terminal, async ({ database, apiTokens, now }) => {
      if (!(await apiTokens.remove(database, id, { now: now() })))
        throw new FatalError(`There is no API token with the id ${id}; "recto token list" shows the ids.`);
      return { text: `Revoked ${id}.\n`, json: { id } };
    }),
  );

/** `recto token list`: all tokens, including expired ones. */
export const listTokens = (terminal: Terminal, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, () =>
    withAccounts(terminal, async (parts) => {
      const tokens = await allTokens(parts);
      const now = new Date(parts.now()).toISOString();
      const names = await listedNames(terminal, tokens);
      const rows = tokens.map(({ name, role, scopes, tenant, createdAt, expiresAt, lastUsedAt, id }) => [
        ...[name, role, scopes === null ? 'all' : names.shown(scopes).join(' ')],
        ...[tenant ?? '-', createdAt.slice(0, 10), expiryText(expiresAt, now), lastUsedAt?.slice(0, 10) ?? 'never', id],
      ]);
      const table = textTable([['NAME', 'ROLE', 'SCOPES', 'TENANT', 'CREATED', 'EXPIRES', 'USED', 'ID'], ...rows]);
      const text = tokens.length === 0 ? '' : `${table}\n`;
      const shown = tokens.map((each) => tokenJson(each, names));
      return { text: `${text}${countOf(tokens.length, 'API token')}.\n`, json: { tokens: shown } };
    }),
  );

function expiryText(expiresAt: string | null, now: string): string {
  if (expiresAt === null) return 'never';
  return expiresAt <= now ? 'expired' : expiresAt.slice(0, 10);
}

const slice = 1000;

async function allTokens({ apiTokens, database }: AccountParts): Promise<readonly ApiToken[]> {
  const found: ApiToken[] = [];
  for (;;) {
    const { apiTokens: some } = await apiTokens.list(database, { limit: slice, offset: found.length });
    found.push(...some);
    if (some.length < slice) return found;
  }
}

/** As the API returns it. */
const tokenJson = (
  { id, name, role, scopes, tenant, createdBy, createdAt, expiresAt, lastUsedAt }: ApiToken,
  names: ScopeNames,
) => ({
  ...{ id, name, role, scopes: scopes === null ? null : names.shown(scopes), tenant_id: tenant },
  created_by: createdBy,
  created_at: createdAt,
  expires_at: expiresAt,
  last_used_at: lastUsedAt,
});
