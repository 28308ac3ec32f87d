import Type, { type Static, type TSchema } from 'typebox';
import type { Account } from '../../auth/account.ts';
import { passwordMaxBytes, passwordMinLength } from '../../auth/password-rules.ts';
import { usernameMaxLength, usernamePattern } from '../../auth/username.ts';
import { builtInRoleNames } from '../../base/caller.ts';
import { longestEmail } from '../../base/email-address.ts';
import { longestTenantId, tenantPattern } from '../../base/tenant-id.ts';
import { profileFields } from '../../definition/profile/profile-fields.ts';
import { recordId } from '../../http/shared-schemas.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Any part of a profile is shorter. */
const longestProfileText = 10_000;

const roleMeaning = '`admin`: everything; `editor`: all content; `member`: any other account';

/** A role that callers name: one that is built in, or one of the installation's own. */
export const roleSchema = (roles: readonly string[] = builtInRoleNames) =>
  Type.Enum([...roles], {
    description:
      roles.length === builtInRoleNames.length
        ? `${roleMeaning}.`
        : `${roleMeaning}; others are this installation’s own.`,
  });

/** A role as it is stored. One of the installation's own may be gone; until the account gets another role, it can do nothing. */
export const shownRole = Type.String({ description: `${roleMeaning}; or a role of the installation’s own.` });

export const timeSchema = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' });

/** Checked by `base/email-address.ts`, which says better what is wrong. */
export const emailSchema = Type.String({
  maxLength: 320,
  description: 'An email address. Case does not distinguish two.',
});

export const nullableUsername = nullable(Type.String({ minLength: 1, maxLength: usernameMaxLength }));

export const nullableTenant = nullable(Type.String({ maxLength: longestTenantId }));

export const newPasswordSchema = Type.String({
  minLength: passwordMinLength,
  maxLength: passwordMaxBytes,
  description: `At least ${passwordMinLength} characters, at most ${passwordMaxBytes} bytes in UTF-8.`,
});

/** A password that is compared: any text. */
export const passwordSchema = Type.String({ maxLength: passwordMaxBytes });

/** How the document describes what callers send of an account: more closely than the schemas check it. */
export const documentedAccount = {
  email: Type.String({
    // `email` is for ASCII alone.
    format: 'idn-email',
    pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
    maxLength: longestEmail,
    description: 'An email address. Case does not distinguish two.',
  }),
  username: nullable(
    Type.String({
      pattern: usernamePattern,
      maxLength: usernameMaxLength,
      description: 'Letters, digits, `.`, `-`, `_`; begins with a letter or digit. Unique, regardless of case.',
    }),
  ),
  tenant_id: nullable(
    Type.String({ pattern: tenantPattern, description: 'The tenant that it belongs to; null: none.' }),
  ),
};

/** What callers send of a profile: `auth/` checks it, and says better what is wrong. */
export const profileInput = {
  display_name: Type.Optional(nullable(Type.String({ maxLength: longestProfileText }))),
  avatar: Type.Optional(nullable(Type.String({ maxLength: longestProfileText }))),
  bio: Type.Optional(nullable(Type.String({ maxLength: longestProfileText }))),
  website: Type.Optional(nullable(Type.String({ maxLength: longestProfileText }))),
  profile_public: Type.Optional(
    Type.Boolean({ description: 'Whether everyone sees the profile, also before the account has published anything.' }),
  ),
};

/** How the document describes it. */
export const documentedProfile: Type.TProperties = Object.fromEntries(
  Object.values(profileFields).map((field) => {
    const { input, documentedInput = input } = field.type;
    return [field.name, Type.Optional({ ...nullable(documentedInput(field)), description: field.description })];
  }),
);

export const userSchema = Type.Object(
  {
    id: recordId,
    email: Type.String(),
    username: nullable(Type.String()),
    role: shownRole,
    disabled: Type.Boolean(),
    verified: Type.Boolean({
      description: 'Whether the address is known to be the person’s: confirmed by a mail or by an admin.',
    }),
    second_factor: Type.Boolean({ description: 'Whether the account has a second factor.' }),
    tenant_id: documentedAccount.tenant_id,
    display_name: nullable(Type.String()),
    avatar: nullable(Type.String()),
    bio: nullable(Type.String()),
    website: nullable(Type.String()),
    profile_public: Type.Boolean(),
    pending_email: Type.Optional(
      Type.String({ description: 'The address that the account gets once it is confirmed; absent: none.' }),
    ),
    invited_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was invited; absent once it has accepted.' }),
    ),
    created_at: timeSchema,
    updated_at: timeSchema,
  },
  { $id: 'User', additionalProperties: false },
);

/** An account as its owner and admins see it. */
export const userJson = (account: Account): Static<typeof userSchema> => ({
  id: account.id,
  email: account.email,
  username: account.username,
  role: account.role,
  disabled: account.disabled,
  verified: account.verified,
  second_factor: account.secondFactor,
  tenant_id: account.tenant,
  ...account.profile,
  profile_public: account.profilePublic,
  ...(account.pendingEmail === null ? {} : { pending_email: account.pendingEmail }),
  ...(account.invitedAt === null ? {} : { invited_at: account.invitedAt }),
  created_at: account.createdAt,
  updated_at: account.updatedAt,
});
