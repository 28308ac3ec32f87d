import type { Caller } from '../../base/caller.ts';
import { badRequest, forbidden, unauthorized } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import { readGivenFilter } from '../../query/filter-query.ts';
import { filterScope } from '../../query/filter-scope.ts';
import { unknownLanguage } from '../../query/missing-language.ts';
import { mayPass, requireAccess } from '../../records/plans/access.ts';
import type { Records } from '../../records/records.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import { SentRecords } from './sent-records.ts';
import { notificationEvents } from './stream-types.ts';

/** What a stream is to send, and to whom. Streams with an equal `key` share the work. */
export interface StreamInterest {
  readonly key: string;
  /** The records of the content types that it was opened for. */
  readonly served: Records;
  /** The same, as its language shows them. */
  readonly records: Records;
  /** The tags of the languages whose words it hears of; absent: the service has one language. */
  readonly languages?: ReadonlySet<string>;
  readonly types: readonly ContentType[];
  /** The account whose notifications it hears of; null: none. */
  readonly account: string | null;
  readonly filters: ReadonlyMap<ContentType, FilterExpression>;
  readonly caller: Caller;
  /** The caller's rights, as `callerFacts` has them. */
  readonly facts: string;
  /** Records that were sent: that they were visible need not be found out. */
  readonly sent: SentRecords;
}

/** What a client asks for. */
export interface StreamRequest {
  /** Singular or plural names, separated by commas; undefined: all types that the caller may get. */
  readonly types: string | undefined;
  readonly filter: string | undefined;
  /** The tag of the language that records are shown in; undefined: the default. */
  readonly language: string | undefined;
  /** Whether other languages stand in for what it lacks; undefined: they do. */
  readonly fallback: boolean | undefined;
  /** The tags of the languages whose words it hears of, separated by commas; undefined: those that it shows. */
  readonly languages: string | undefined;
}

/** Throws 400 for an unknown type or language, or a filter that names what the caller cannot read, 401 or 403 for a type that they may not get. */
export function streamInterest(
  served: Records,
  asking: Caller,
  { types: named, filter, ...said }: StreamRequest,
): StreamInterest {
  const { records, caller, languages } = inLanguage(served, asking, said);
  const names = named?.split(',');
  const account = names?.includes(notificationEvents) === true ? accountOf(asking) : null;
  const ofTypes = names?.filter((name) => name !== notificationEvents);
  const types = ofTypes === undefined ? openTypes(records, caller) : namedTypes(records, caller, ofTypes);
  const filters = new Map<ContentType, FilterExpression>();
  if (filter !== undefined && filter !== '') {
    for (const type of types) {
      const expression = readGivenFilter(filter, filterScope(type, endpointViews.get, records.types));
      if (expression === undefined) break;
      // Throws 400 for one that makes too large a statement.
      records.visible.key({ type, caller, filter: expression });
      filters.set(type, expression);
    }
  }
  const heard = types.map(({ singular }) => singular).toSorted();
  const facts = callerFacts(asking);
  const spoken =
    languages === undefined ? [] : [caller.language, said.fallback !== false, ...[...languages].toSorted()];
  return {
    key: JSON.stringify([heard, account, filter ?? '', facts, ...spoken]),
    ...{ served, records, types, account, filters, caller, facts },
    ...(languages === undefined ? {} : { languages }),
    sent: new SentRecords(),
  };
}

/** The records in the language that a stream asks for, and the languages that it hears of. */
function inLanguage(
  records: Records,
  caller: Caller,
  { language, fallback = true, languages: heard }: Pick<StreamRequest, 'language' | 'fallback' | 'languages'>,
) {
  const { languages } = records.types;
  const known = (tag: string): Language => {
    const found = languages.find(tag.trim());
    if (found === undefined) throw unknownLanguage(tag, languages);
    return found;
  };
  if (language === undefined && heard === undefined && !languages.several) return { records, caller };
  const shown = language === undefined ? languages.default : known(language);
  const read = readLanguage(languages, shown, fallback, 'public');
  const wanted = heard === undefined ? (read?.chain ?? [shown]) : heard.split(',').map(known);
  return {
    records: records.inLanguage(read),
    caller: language === undefined ? caller : { ...caller, language: shown.tag },
    languages: new Set(wanted.map(({ tag }) => tag)),
  };
}

/** Equal for a caller as long as their rights are the same. */
export function callerFacts(caller: Caller): string {
  const { kind, tenant, visited } = caller;
  if (caller.kind === 'anonymous') return JSON.stringify([kind, tenant, visited]);
  const names = caller.kind === 'account' ? [caller.email, caller.username, caller.verified] : [];
  return JSON.stringify([kind, tenant, visited, caller.id, caller.role, ...names]);
}

const openTypes = ({ types }: Records, caller: Caller): readonly ContentType[] =>
  types.all.filter(({ endpoints }) => mayPass(endpoints.get.access, caller));

/** Throws 401 or 403 for a caller who is no account. */
function accountOf(caller: Caller): string {
  if (caller.kind === 'account') return caller.id;
  if (caller.kind === 'anonymous') throw unauthorized('authentication_required', 'Sign in to hear of notifications.');
  throw forbidden('not_an_account', 'Requires an account. An API token does not belong to one.');
}

function namedTypes({ types }: Records, caller: Caller, names: readonly string[]): readonly ContentType[] {
  const found = new Set<ContentType>();
  for (const name of names) {
    const type = types.all.find(({ singular, plural }) => singular === name || plural === name);
    if (type === undefined)
      throw badRequest('unknown_type', `"types" names "${name.slice(0, 100)}", which is no content type.`);
    requireAccess(type.endpoints.get.access, caller);
    found.add(type);
  }
  return [...found];
}
