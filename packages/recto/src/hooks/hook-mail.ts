/** A mail from code of a deployment. */
export interface HookMail {
  /** One address. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** Sent as it is: escape what comes from outside. */
  readonly html?: string;
}

/** Sends mails through the service's outbox. */
export interface HookMails {
  /** Resolves once the mail is in the outbox, from where it is sent with retries. Rejects with a `Problem` where it cannot be sent, and where mail is off. */
  send(mail: HookMail): Promise<void>;
}

/** Puts a mail into the outbox. What it is given is not checked yet. */
export type SendMail = (mail: unknown) => Promise<void>;
