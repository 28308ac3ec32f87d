import { type ApiTokenInput, readApiTokenInput } from '../auth/api-token-input.ts';
import type { ApiToken } from '../auth/api-token-store.ts';
import type { Role } from '../base/caller.ts';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { type AccountParts, withAccounts } from './account-database.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { requireRole } from './known-role.ts';
import { textTable } from './text-table.ts';

interface NewTokenOptions extends AnswerOptions {
  readonly role: Role;
  readonly tenant?: string;
  /** `90d`, or a time of RFC 3339. */
  readonly expires?: string;
}

/** `recto token create`: prints the token, which is shown only here. All functions here resolve with the exit code. */
export const createToken = (terminal: Terminal, name: string, options: NewTokenOptions): Promise<number> =>
  answer(terminal, options, () =>
    withAccounts(terminal, async ({ database, apiTokens, now }) => {
      const { role, tenant = null, expires } = options;
      await requireRole(terminal, role);
      const expires_at = expires === undefined ? null : expiry(expires, now());
      const input: ApiTokenInput = { name, role, tenant_id: tenant, expires_at };
      const made = { ...readApiTokenInput(input, now()), createdBy: null };
      const { apiToken, secret } = await apiTokens.create(database, made, now());
      const ends = apiToken.expiresAt === null ? 'without expiry' : `until ${apiToken.expiresAt}`;
      const head = `Created "${apiToken.name}" (${role}, ${ends}, ${apiToken.id}). The token is shown this once:`;
      return { text: `${head}\n${secret}\n`, json: { token: { ...tokenJson(apiToken), token: secret } } };
    }),
  );

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
      const rows = tokens.map(({ name, role, tenant, createdAt, expiresAt, lastUsedAt, id }) => [
        ...[name, role, tenant ?? '-', createdAt.slice(0, 10), expiryText(expiresAt, now)],
        ...[lastUsedAt?.slice(0, 10) ?? 'never', id],
      ]);
      const table = textTable([['NAME', 'ROLE', 'TENANT', 'CREATED', 'EXPIRES', 'USED', 'ID'], ...rows]);
      const text = tokens.length === 0 ? '' : `${table}\n`;
      return { text: `${text}${countOf(tokens.length, 'API token')}.\n`, json: { tokens: tokens.map(tokenJson) } };
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
const tokenJson = ({ id, name, role, tenant, createdBy, createdAt, expiresAt, lastUsedAt }: ApiToken) => ({
  ...{ id, name, role, tenant_id: tenant },
  created_by: createdBy,
  created_at: createdAt,
  expires_at: expiresAt,
  last_used_at: lastUsedAt,
});
