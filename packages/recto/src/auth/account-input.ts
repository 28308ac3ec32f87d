import type { Role } from '../base/caller.ts';
import { parseEmail } from '../base/email-address.ts';
import { hasInvisible } from '../base/invisible-characters.ts';
import type { FieldFault } from '../base/problem.ts';
import { isTenantId, tenantRule } from '../base/tenant-id.ts';
import { type ProfileName, profileFields, profileNames } from '../definition/profile/profile-fields.ts';
import type { AccountValues, Profile } from './account.ts';
import { passwordFault } from './password-rules.ts';
import { parseUsername, usernameMaxLength } from './username.ts';

/** Unchecked input for an account. Omitted members stay as they are. */
export interface AccountInput {
  readonly email?: string | undefined;
  /** Null: none. */
  readonly username?: string | null | undefined;
  readonly password?: string | undefined;
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly verified?: boolean | undefined;
  /** Null: none. */
  readonly tenant_id?: string | null | undefined;
  /** Null: none. */
  readonly display_name?: string | null | undefined;
  readonly avatar?: string | null | undefined;
  readonly bio?: string | null | undefined;
  readonly website?: string | null | undefined;
  readonly profile_public?: boolean | undefined;
}

export interface CheckedInput {
  /** All but the password. */
  readonly values: AccountValues;
  readonly faults: readonly FieldFault[];
}

/** Checks what can be checked without a database; reports all errors at once. */
export function checkAccountInput(input: AccountInput): CheckedInput {
  const faults: FieldFault[] = [];
  const email = input.email === undefined ? undefined : parseEmail(input.email);
  if (input.email !== undefined && email === undefined)
    faults.push({
      field: 'email',
      code: 'bad_format',
      message: invisibleRule(input.email) ?? 'This is not an email address.',
    });
  const username = typeof input.username === 'string' ? parseUsername(input.username) : input.username;
  if (typeof input.username === 'string' && username === undefined)
    faults.push({
      field: 'username',
      code: 'bad_format',
      message:
        invisibleRule(input.username) ??
        `A username is 1 to ${usernameMaxLength} letters, digits, ".", "-" or "_", and begins with a letter or digit.`,
    });
  const password = input.password === undefined ? undefined : passwordFault(input.password, 'password');
  if (password !== undefined) faults.push(password);
  if (typeof input.tenant_id === 'string' && !isTenantId(input.tenant_id))
    faults.push({ field: 'tenant_id', code: 'bad_format', message: tenantRule });
  const profile = checkProfile(input, faults);
  const values = {
    ...(email === undefined ? {} : { email }),
    ...(username === undefined ? {} : { username }),
    ...(input.role === undefined ? {} : { role: input.role }),
    ...(input.disabled === undefined ? {} : { disabled: input.disabled }),
    ...(input.verified === undefined ? {} : { verified: input.verified }),
    ...(input.tenant_id === undefined ? {} : { tenant: input.tenant_id }),
    ...(Object.keys(profile).length === 0 ? {} : { profile }),
    ...(input.profile_public === undefined ? {} : { profilePublic: input.profile_public }),
  };
  return { values, faults };
}

/** The parts of a profile that are given; an empty text is none. */
function checkProfile(input: AccountInput, faults: FieldFault[]): Partial<Profile> {
  const profile: Partial<Record<ProfileName, string | null>> = {};
  for (const name of profileNames) {
    const value = input[name];
    if (value === undefined) continue;
    const field = profileFields[name];
    const parsed = value === null ? { ok: true as const, value: '' } : field.type.parse(value, field);
    if (parsed.ok) profile[name] = String(parsed.value) || null;
    else faults.push({ field: name, code: parsed.code, message: parsed.message });
  }
  return profile;
}

/** Added where the error itself is invisible. */
const invisibleRule = (text: string): string | undefined =>
  hasInvisible(text) ? 'This has invisible characters, which no address or username may have.' : undefined;

export const takenFault = (field: 'email' | 'username'): FieldFault => ({
  field,
  code: 'taken',
  message: field === 'email' ? 'An account has this email address already.' : 'An account has this username already.',
});
