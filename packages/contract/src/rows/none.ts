/** Omitted intentionally, and why: a row that just forgets a member does not compile. */
export type None = { readonly none: string };
