/** A new record identifier: UUIDv7 (RFC 9562, section 5.7), so that ids sort by creation within a process. */
export const newId = (): string => Bun.randomUUIDv7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be a record identifier at all (lower case, as this service writes them). */
export const isId = (text: string): boolean => uuid.test(text);
