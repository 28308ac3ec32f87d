import type { ContentType } from '../../definition/content-type.ts';
import { localizedFields } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';

export type Body = Readonly<Record<string, JsonValue>>;

/** What one entry of the file says in a language of the service. */
export interface TranslatedBody {
  readonly tag: string;
  readonly body: Body;
}

export interface MergedBody {
  /** With each localized field by language, as imports take it. */
  readonly body: Body;
  /** The shared fields of which a translation has another value, which is not kept in the record's fields. */
  readonly others: readonly string[];
}

/** What differs between translations as a matter of course, or is merged by itself. */
const merged: ReadonlySet<string> = new Set(['tags', '__meta', 'published_at', 'created_at', 'updated_at']);

/**
 * One record of what translations say. The first is the main one, whose shared values count. Without one in the default language, it stands
 * in there as well: a record begins in the default language.
 */
export function mergeTranslations(
  type: Pick<ContentType, 'facts' | 'singular'>,
  main: TranslatedBody,
  parts: readonly TranslatedBody[],
  defaultTag: string,
): MergedBody {
  const all = [main, ...parts];
  const localized = new Set(localizedFields(type).map(({ name }) => name));
  const body: Record<string, JsonValue> = {};
  const others: string[] = [];
  for (const name of new Set(all.flatMap((each) => Object.keys(each.body)))) {
    const own = main.body[name] ?? null;
    if (!localized.has(name)) {
      if (Object.hasOwn(main.body, name)) body[name] = own;
      if (!merged.has(name) && parts.some((part) => !Bun.deepEquals(part.body[name] ?? null, own))) others.push(name);
      continue;
    }
    const values = all.map(({ tag, body: said }) => [tag, said[name] ?? null] as const);
    const inDefault = values.find(([tag]) => tag === defaultTag) ?? ([defaultTag, own] as const);
    body[name] = Object.fromEntries(
      [inDefault, ...values].filter(([tag, value]) => value !== null || tag === defaultTag),
    );
  }
  return { body, others };
}

/** What one translation adds to a record: its localized values. */
export function localizedBody(type: Pick<ContentType, 'facts' | 'singular'>, body: Body): Body {
  const names = localizedFields(type).map(({ name }) => name);
  return Object.fromEntries(
    names.flatMap((name) => ((body[name] ?? null) === null ? [] : [[name, body[name] ?? null]])),
  );
}
