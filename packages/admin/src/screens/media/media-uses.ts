/** `GET /admin/media/{id}/uses` */
export interface MediaUses {
  readonly items: readonly {
    readonly type: string;
    readonly id: string;
    readonly field: string;
    readonly places?: readonly string[];
  }[];
  readonly drafts: readonly { readonly type: string; readonly id: string; readonly fields: readonly string[] }[];
  readonly total: number;
}
