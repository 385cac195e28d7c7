/** What a directory is given as the address of the service. */
export const scimBase = ({ urls }: { readonly urls: { readonly base: string } }): string => `${urls.base}/scim/v2`;
