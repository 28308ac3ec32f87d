import type { ContentType, EndpointName } from '../../definition/content-type.ts';
import type { Rule } from '../../rules/rule.ts';

const none: ReadonlySet<string> = new Set();

/** The rules that decide on a request to an endpoint; a rejected write also evaluates `get`'s, to choose between 403 and 404. */
export function endpointRules(type: ContentType, endpoint: EndpointName | 'admin'): readonly Rule[] {
  if (endpoint === 'admin') return [];
  const { filter, filterAuth } = type.endpoints[endpoint];
  return [filter, filterAuth].filter((rule) => rule !== null);
}

/** The names that an endpoint's rules read as `@request.query.*`, which its requests may therefore carry. */
export function ruleParameters(type: ContentType, endpoint: EndpointName | 'admin'): ReadonlySet<string> {
  const rules = endpointRules(type, endpoint);
  if (rules.every(({ reads }) => reads.query.size === 0)) return none;
  return new Set(rules.flatMap(({ reads }) => [...reads.query]));
}
