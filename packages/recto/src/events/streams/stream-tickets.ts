import { sql } from 'kysely';
import { newId } from '../../base/ids.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Database } from '../../database/database.ts';
import { CursorSealer } from '../../records/answers/cursor-sealer.ts';
import { usedTicketsTable } from '../event-tables.ts';

/** Whose stream a ticket opens. */
export interface TicketHolder {
  /** The `Authorization` header that the ticket was asked for with. */
  readonly authorization: string;
  /** The tenant that was named, by who belongs to none. */
  readonly visited: string | null;
}

interface Ticket extends TicketHolder {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How long a ticket may wait, in milliseconds. */
export const ticketMs = 60_000;

/** How long the use of a ticket is remembered behind its end, in milliseconds: the clocks of machines differ. */
const rememberedMs = 24 * 3_600_000;

const purpose = 'ticket for a stream';
const table = sql.table(usedTicketsTable.name);

/**
 * Tickets for clients that cannot send headers. A ticket is encrypted and holds who asked for it; used ones are noted in the
 * database, so that one opens a single stream, of whichever process.
 */
export class StreamTickets {
  readonly #database: Database;
  readonly #sealer: CursorSealer;
  readonly #now: () => number;

  /** `secret`: what the service signs its tokens with. */
  constructor(database: Database, secret: string, now: () => number) {
    this.#database = database;
    this.#sealer = new CursorSealer(secret);
    this.#now = now;
  }

  issue(holder: TicketHolder): string {
    const ticket: Ticket = { ...holder, id: newId(), expiresAt: this.#now() + ticketMs };
    return this.#sealer.seal(purpose, JSON.stringify(ticket));
  }

  /** Whose ticket it is; undefined for one that is forged, expired or used. */
  async use(text: string): Promise<TicketHolder | undefined> {
    const content = this.#sealer.open(purpose, text);
    if (content === undefined) return undefined;
    // Only `issue` seals for this purpose.
    const { id, expiresAt, ...holder } = JSON.parse(content) as Ticket;
    const now = this.#now();
    if (expiresAt <= now) return undefined;
    const { dialect } = this.#database;
    const isFirst = await this.#database.transaction(async (transaction) => {
      await transaction.run(
        compiledQuery(sql`delete from ${table} where "expires_at" < ${now - rememberedMs}`, dialect),
      );
      const note = sql`insert into ${table} ("id", "expires_at") values (${id}, ${expiresAt}) on conflict do nothing`;
      return (await transaction.run(compiledQuery(note, dialect))) === 1;
    });
    return isFirst ? holder : undefined;
  }
}
