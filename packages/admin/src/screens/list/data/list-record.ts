/** A record as the admin routes return it. */
export type ListRecord = Readonly<Record<string, unknown>> & { readonly id: string };
