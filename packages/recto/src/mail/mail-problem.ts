/** The mail server will not take this mail, now or later. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The mail was not sent; another attempt may succeed. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed';
}
