/** What is wrong with a form: by field, and what is about no field of it. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

export const noErrors: FormErrors = { fields: {}, text: undefined };
