import { normalTarget, type OutboundTargets, TargetRefused } from '../base/net/outbound-targets.ts';
import { type FieldFault, Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { fullView } from '../definition/rights/read-view.ts';
import { filterPlace, readFilterExpression } from '../query/filter-query.ts';
import { filterScope } from '../query/filter-scope.ts';
import type { WebhookInput } from './webhook.ts';

/** The maximum length of an address, also of the form that is stored. */
export const longestUrl = 2_000;

/** Finds a type by its singular or plural name. */
export const typeNamed = (types: ContentTypes, name: string): ContentType | undefined =>
  types.find(name) ?? types.all.find(({ kind, plural }) => kind === 'collection' && plural === name);

/** What is wrong with those of the members that are there. Resolves the address. */
export async function webhookFaults(
  { url, types: names, filter, languages }: Partial<Pick<WebhookInput, 'url' | 'types' | 'filter' | 'languages'>>,
  types: ContentTypes,
  targets: OutboundTargets,
): Promise<readonly FieldFault[]> {
  return [
    ...(url === undefined ? [] : await urlFaults(url, targets)),
    ...(names === undefined ? [] : nameFaults(names, types)),
    ...(languages === undefined ? [] : languageFaults(languages, types)),
    ...(filter === undefined || filter === null ? [] : filterFaults(filter, names ?? [], types)),
  ];
}

async function urlFaults(url: string, targets: OutboundTargets): Promise<readonly FieldFault[]> {
  if (normalTarget(url).length > longestUrl) {
    const message = `With its characters escaped, it must not be longer than ${longestUrl} characters.`;
    return [{ field: 'url', code: 'too_long', message }];
  }
  try {
    await targets.check(url);
    return [];
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    return [{ field: 'url', code: error.code, message: error.message }];
  }
}

const nameFaults = (names: readonly string[], types: ContentTypes): readonly FieldFault[] =>
  names.flatMap((name, index) =>
    typeNamed(types, name) === undefined
      ? [
          {
            field: `types[${index}]`,
            code: 'unknown_type',
            message: `There is no content type ${JSON.stringify(name)}.`,
          },
        ]
      : [],
  );

const languageFaults = (tags: readonly string[], { languages }: ContentTypes): readonly FieldFault[] =>
  tags.flatMap((tag, index) =>
    languages.find(tag) === undefined
      ? [
          {
            field: `languages[${index}]`,
            code: 'unknown_language',
            message: `${JSON.stringify(tag)} is no language of this service.`,
          },
        ]
      : [],
  );

/** A filter must fit each of the types. */
function filterFaults(filter: string, names: readonly string[], types: ContentTypes): readonly FieldFault[] {
  if (names.length === 0)
    return [
      { field: 'filter', code: 'needs_types', message: 'A filter needs the content types that it is for in "types".' },
    ];
  for (const name of names) {
    const type = typeNamed(types, name);
    if (type === undefined) continue;
    try {
      readFilterExpression(filter, filterScope(type, fullView, types));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [{ field: 'filter', code: 'invalid_filter', message: `${name}, ${filterPlace(error)}: ${error.message}` }];
    }
  }
  return [];
}
