/** What can be added to a list: a kind of block, or the list's own item. */
export interface ItemKind {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** The path of a picture of it. */
  readonly image?: string | undefined;
  /** A new item of this kind. */
  make(): unknown;
}
