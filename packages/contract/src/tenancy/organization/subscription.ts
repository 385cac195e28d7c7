/** Set by the operator of the installation. LAPSED refuses requests that create something. */
export const SUBSCRIPTIONS = ['ACTIVE', 'LAPSED'] as const;
export type Subscription = (typeof SUBSCRIPTIONS)[number];
