/** A new record identifier: UUIDv7 (RFC 9562, section 5.7), so that ids sort by creation within a process. */
export const newId = (): string => Bun.randomUUIDv7();

/** Like `newId`, for something created at an earlier time (milliseconds since 1970), so that it sorts among ids of that time. */
export const idOf = (time: number): string => Bun.randomUUIDv7('hex', Math.min(Math.max(0, time), lastTime));

/** An id has 48 bits for its time, which ends in the year 10889. */
const lastTime = 2 ** 48 - 1;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of a record id (lower case, as this service writes them). */
export const isId = (text: string): boolean => uuid.test(text);
