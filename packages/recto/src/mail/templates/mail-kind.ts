/** What a mail can say besides what every mail can. */
const valuesOfKind = {
  verification: ['email', 'link'],
  password_reset: ['email', 'link'],
  account_exists: ['email', 'link'],
  email_change: ['email', 'link'],
  email_changed: ['email', 'link'],
  password_changed: ['email'],
  identity_linked: ['email', 'provider'],
  second_factor_changed: ['email'],
  new_passkey: ['email'],
  invitation: ['email', 'link'],
  sign_in_code: ['email', 'code'],
  notifications: ['email', 'count', 'list', 'link', 'settings_link'],
  test: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The mails of the service. */
export type MailKind = keyof typeof valuesOfKind;

// `Object.keys` is typed as strings; the object's keys are exactly `MailKind`.
export const mailKinds = Object.keys(valuesOfKind) as readonly MailKind[];

/** What `{{name}}` may name in every mail: what the service is called, its origin, and whom the mail is to. */
const commonValues = ['site', 'url'] as const;

export type MailValues = Readonly<Record<string, string>>;

/** All that a template of a kind may name. */
export const namesOf = (kind: MailKind): readonly string[] => [...commonValues, ...valuesOfKind[kind]];

/** A language of the mails has its texts in `mailTexts`: one that is missing is a type error. */
export const mailLanguages = ['en', 'de', 'fr'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The language of a mail, from a tag such as `de-AT`; undefined if there are no mails in it. */
export const knownMailLanguage = (tag: string): MailLanguage | undefined =>
  mailLanguages.find((language) => tag.toLowerCase().split('-')[0] === language);

/** The same; English for any other. */
export const mailLanguage = (tag: string): MailLanguage => knownMailLanguage(tag) ?? 'en';
