/** Returns the token of an announced set-up link: the URL fragment. */
export const getSetupToken = ({ setupUrl }: { readonly setupUrl: string | null }): string | null =>
  new URLSearchParams(new URL(setupUrl ?? '').hash.slice(1)).get('token');
