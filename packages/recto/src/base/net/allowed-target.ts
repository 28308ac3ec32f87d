/** Addresses that have their first bits in common. */
export interface IpNetwork {
  readonly address: string;
  /** How many leading bits an address in the network shares with `address`. */
  readonly prefix: number;
}

/** A place in a network that is not public. */
export type AllowedTarget = { /** Null: any. */ readonly port: number | null } & (
  | ({ readonly kind: 'network' } & IpNetwork)
  /** In lower case. Whatever addresses it has. */
  | { readonly kind: 'host'; readonly name: string }
);
