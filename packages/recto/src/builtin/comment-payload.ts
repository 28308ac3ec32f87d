import { withoutInvisible } from '../base/invisible-characters.ts';
import { type FieldFault, invalid } from '../base/problem.ts';
import type { ContentType } from '../definition/content-type.ts';
import { checkPayload } from '../records/checks/payload.ts';

type Payload = Readonly<Record<string, unknown>>;

/**
 * Texts that lose the white space around them, and the control characters (Unicode category Cc) that each may not have. A nickname also
 * loses its other invisible characters: with them, a guest could be called what a member is called.
 */
const texts = {
  content: { unwanted: /[^\P{Cc}\t\n\r]/u, allowed: 'control characters other than line breaks and tabs' },
  nickname: { unwanted: /\p{Cc}/u, allowed: 'control characters or line breaks' },
  email: { unwanted: /\p{Cc}/u, allowed: 'control characters or line breaks' },
} as const;

/** Fields that forms send empty where someone has left them out. */
const optional = ['nickname', 'email', 'parent_id'] as const;

/**
 * What is stored of a comment as it was sent: texts trimmed, empty ones left out, and `kept` over whatever was sent of it.
 * Throws 422 with every error of the payload at once.
 */
export function commentPayload(type: ContentType, sent: Payload, kept: Payload): Payload {
  const payload: Record<string, unknown> = { ...sent, ...kept };
  for (const name of Object.keys(texts)) {
    const text = payload[name];
    if (typeof text === 'string') payload[name] = (name === 'nickname' ? withoutInvisible(text) : text).trim();
  }
  for (const name of optional) if (payload[name] === '') payload[name] = null;
  const { faults } = checkPayload(type, payload, 'create');
  const reported = new Set(faults.map(({ field }) => field));
  const all = [...faults, ...controlCharacters(payload).filter(({ field }) => !reported.has(field))];
  if (all.length > 0) throw invalid(all);
  return payload;
}

function controlCharacters(payload: Payload): readonly FieldFault[] {
  return Object.entries(texts).flatMap(([field, { unwanted, allowed }]) => {
    const text = payload[field];
    if (typeof text !== 'string' || !unwanted.test(text)) return [];
    return [{ field, code: 'control_character', message: `Must not have ${allowed}.` }];
  });
}
