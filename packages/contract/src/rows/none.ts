/** Left out on purpose, and why: what a row merely forgot to say does not compile. */
export type None = { readonly none: string };
