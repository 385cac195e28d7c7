/** Returns the address of the service for directories. */
export const scimBase = ({ urls }: { readonly urls: { readonly base: string } }): string => `${urls.base}/scim/v2`;
