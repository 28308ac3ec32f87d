import type { TableRow } from '../tables/stored-table.ts';

/**
 * A checksum of the rows of a table, independent of their order: the sum of the first 128 bits of the SHA-256 of each
 * row's JSON text. The same on every database, whose orders of text may differ.
 */
export class TableChecksum {
  #rows = 0;
  #high = 0n;
  #low = 0n;

  get rows(): number {
    return this.#rows;
  }

  /** 32 hexadecimal digits. */
  get digest(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(16, '0')).join('');
  }

  add(row: TableRow): void {
    // A column has one kind, so two of its values never have the same text.
    const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const hash = Bun.CryptoHasher.hash('sha256', text, hashed) as Buffer;
    this.#high = BigInt.asUintN(64, this.#high + hash.readBigUInt64BE(0));
    this.#low = BigInt.asUintN(64, this.#low + hash.readBigUInt64BE(8));
    this.#rows += 1;
  }
}

const hashed = Buffer.alloc(32);
