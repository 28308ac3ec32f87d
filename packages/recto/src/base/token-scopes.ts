/** What a scope lets a token do with what it names. `write` includes reading. */
export const scopeAccesses = ['read', 'write'] as const;
export type ScopeAccess = (typeof scopeAccesses)[number];

/**
 * What an API token is narrowed to: `article:read`, by the singular of a type, `*` for all types, or `may:users`, `may:events` and `may:releases` for
 * rights that belong to no type. In order, none twice.
 */
export type TokenScopes = readonly string[];

/** The scope without which an API token is no way in for agents. It reaches nothing by itself. */
export const agentScope = 'mcp';

/** Whether scopes reach something. */
export const reaches = (scopes: TokenScopes, target: string, access: ScopeAccess): boolean =>
  [target, ...(target.startsWith('may:') ? [] : ['*'])].some(
    (each) => scopes.includes(`${each}:write`) || (access === 'read' && scopes.includes(`${each}:read`)),
  );
