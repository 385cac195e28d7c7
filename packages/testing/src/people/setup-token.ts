/** The token of the set-up link that a start announced: it stands behind the `#`. */
export const setupTokenOf = ({ setupUrl }: { readonly setupUrl: string | null }): string | null =>
  new URLSearchParams(new URL(setupUrl ?? '').hash.slice(1)).get('token');
