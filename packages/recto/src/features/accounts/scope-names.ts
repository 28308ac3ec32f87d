import { nearestName } from '../../base/nearest-name.ts';
import type { FieldFault } from '../../base/problem.ts';
import { agentScope, scopeAccesses, type TokenScopes } from '../../base/token-scopes.ts';
import type { ContentType } from '../../definition/content-type.ts';

/** The scopes of API tokens as callers write them, `articles:read`, and as they are kept, `article:read`. */
export class ScopeNames {
  readonly #stored: ReadonlyMap<string, string>;
  readonly #shown: ReadonlyMap<string, string>;

  constructor(types: readonly ContentType[]) {
    const ofTypes = types.map(({ singular, plural }) => [plural, singular] as const);
    this.#stored = new Map([
      ['*', '*'],
      ['users', 'may:users'],
      ['events', 'may:events'],
      ['releases', 'may:releases'],
      ...ofTypes,
    ]);
    const shown = types.map(({ singular, plural }) => [singular, plural] as const);
    this.#shown = new Map([['may:users', 'users'], ['may:events', 'events'], ['may:releases', 'releases'], ...shown]);
  }

  /** All that there are. */
  get all(): readonly string[] {
    const reaching = [...this.#stored.keys()].flatMap((target) => scopeAccesses.map((access) => `${target}:${access}`));
    return [...reaching, agentScope];
  }

  /** The errors of scopes that there are not. */
  faults(scopes: readonly string[]): readonly FieldFault[] {
    return scopes.flatMap((scope, index) => {
      if (this.#read(scope) !== undefined) return [];
      const [target = ''] = scope.split(':');
      const near = nearestName(target, this.#shown.values());
      const remedy = near === undefined || near === target ? '' : ` Did you mean "${near}"?`;
      const message = `${JSON.stringify(scope)} is no scope: a scope is a plural, users, events, releases or *, then ":read" or ":write", such as "articles:read", or "mcp".${remedy}`;
      return [{ field: `scopes[${index}]`, code: 'not_allowed', message }];
    });
  }

  /** As they are kept: in order, none twice. Only of scopes without errors. */
  stored(scopes: readonly string[]): TokenScopes {
    return [...new Set(scopes.map((scope) => this.#read(scope) ?? ''))].toSorted();
  }

  /** As callers write them. */
  shown(scopes: TokenScopes): readonly string[] {
    return scopes.map((scope) => {
      if (scope === agentScope) return scope;
      const at = scope.lastIndexOf(':');
      const target = scope.slice(0, at);
      return `${this.#shown.get(target) ?? target}${scope.slice(at)}`;
    });
  }

  #read(scope: string): string | undefined {
    if (scope === agentScope) return scope;
    const [target = '', access, ...rest] = scope.split(':');
    const found = this.#stored.get(target);
    const known = scopeAccesses.find((each) => each === access);
    return found === undefined || known === undefined || rest.length > 0 ? undefined : `${found}:${known}`;
  }
}
