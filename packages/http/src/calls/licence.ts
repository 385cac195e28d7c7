/** Licence port: whether the subscription of an organization covers creating something. */
export type Licence = { readonly isActive: (organizationId: string) => Promise<boolean> };

/** Without subscriptions: always active. */
export const OPEN_LICENCE: Licence = { isActive: async () => true };
