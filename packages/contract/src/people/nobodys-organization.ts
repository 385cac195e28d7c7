/**
 * Organization of events without a known one: failed sign-ins and mails of unauthenticated clients. No tenant can read it. It makes these
 * take the same steps, and so the same time, as those of an existing account.
 */
export const NOBODYS_ORGANIZATION = 'org_00000000000000000000000000';
