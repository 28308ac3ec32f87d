import type { Caller } from '../../base/caller.ts';
import { forbidden } from '../../base/problem.ts';
import { agentScope } from '../../base/token-scopes.ts';

export type AgentCaller = Extract<Caller, { readonly kind: 'api_token' }>;

/**
 * The caller of a tool. Throws 403 for an account, and for an API token that was not made for agents: one that reaches a program by
 * accident is no way in for an agent.
 */
export function agentCaller(caller: Caller, client: string | null): AgentCaller {
  if (caller.kind !== 'api_token')
    throw forbidden('not_a_token', 'Agents call with an API token that has the scope "mcp", not as an account.');
  if (caller.scopes?.includes(agentScope) !== true)
    throw forbidden('insufficient_scope', 'Requires an API token with the scope "mcp".');
  return { ...caller, via: { kind: 'mcp', client } };
}

/**
 * The name that a client gives itself, or null: in the request (MCP 2026-07-28), or else the product of its `User-Agent`. For people
 * who read the log; nothing depends on it.
 */
export function clientName(body: Readonly<Record<string, unknown>>, headers: Headers): string | null {
  const info = memberOf(memberOf(memberOf(body, 'params'), '_meta'), 'io.modelcontextprotocol/clientInfo');
  const named = memberOf(info, 'name');
  const text = typeof named === 'string' ? named : (headers.get('user-agent') ?? '').split('/', 1)[0];
  return (
    text
      ?.replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
      .trim()
      .slice(0, mostCharacters) || null
  );
}

const mostCharacters = 60;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
