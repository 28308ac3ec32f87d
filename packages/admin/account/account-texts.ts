/** What a page says. */
export interface ActionTexts {
  readonly title: string;
  readonly intro: string;
  readonly button: string;
  readonly done: string;
}

export interface AccountTexts {
  readonly actions: Readonly<Record<string, ActionTexts>>;
  readonly email: string;
  readonly newPassword: string;
  readonly passwordHint: string;
  readonly username: string;
  readonly usernameHint: string;
  readonly working: string;
  readonly invalidLink: string;
  readonly askAgain: string;
  readonly noLink: string;
  readonly unreachable: string;
  readonly tooMany: string;
  readonly failed: string;
  /** After an invitation to an account that has a second factor. */
  readonly factorNext: string;
  readonly toAdmin: string;
  readonly tooShort: string;
  readonly taken: string;
  readonly notValid: string;
  readonly unknown: string;
}
