/** A new record identifier: UUIDv7 (RFC 9562, section 5.7), so that ids sort by creation within a process. */
export const newId = (): string => Bun.randomUUIDv7();

/** As `newId`, for what was made at an earlier time (milliseconds since 1970): it sorts among the ids of its time. */
export const idOf = (time: number): string => Bun.randomUUIDv7('hex', Math.max(0, time));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be a record identifier at all (lower case, as this service writes them). */
export const isId = (text: string): boolean => uuid.test(text);
