/** Public addresses of the two planes. */
export type PlaneUrls = { readonly gateway: string; readonly base: string };
