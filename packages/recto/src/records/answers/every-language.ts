import type { ContentType } from '../../definition/content-type.ts';
import { isTranslated } from '../../definition/stored-field.ts';
import { everyLanguage } from '../../query/read-view.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { everyMember, languageMembers } from '../plans/shown-languages.ts';
import { type Answer, answerOf } from './answer.ts';

type Table = Readonly<Record<string, JsonValue>>;

/**
 * An answer with records in all languages: each localized field is an object of values by language, with those languages that have one,
 * as exports have it.
 */
export function inEveryLanguage(type: ContentType, { body, cacheStatus }: Answer): Answer {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  // True because answers are JSON.
  const answer = JSON.parse(text) as JsonValue;
  if (!isTable(answer)) throw new TypeError('An answer is no object.');
  const { items } = answer;
  const whole = Array.isArray(items)
    ? { ...answer, items: items.map((item) => (isTable(item) ? byLanguage(type, item) : item)) }
    : byLanguage(type, answer);
  const made = answerOf(JSON.stringify(whole));
  return { ...made, ...(cacheStatus === undefined ? {} : { cacheStatus }) };
}

function byLanguage({ fields, languages }: ContentType, record: Table): Table {
  const { [everyMember]: others, [languageMembers.shown]: _, [languageMembers.fallback]: __, ...rest } = record;
  if (!isTable(others) || languages === undefined) return record;
  const localized = fields.filter((field) => isTranslated(field) && Object.hasOwn(rest, field.name));
  const values = localized.map(({ name }) => {
    const all = languages.all.flatMap(({ tag, isDefault }): (readonly [string, JsonValue])[] => {
      const said = others[tag];
      const value = isDefault ? rest[name] : isTable(said) ? said[name] : undefined;
      return value === undefined || value === null ? [] : [[tag, value]];
    });
    return [name, Object.fromEntries(all)] as const;
  });
  // Whoever sends it back as it is does not mean one language.
  return { ...rest, ...Object.fromEntries(values), [languageMembers.shown]: everyLanguage };
}
