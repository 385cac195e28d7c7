/**
 * The organization of what strangers do before anybody knows who they are: their failed sign-ins, the mails they ask for. No tenant can
 * read it; it is there so that such a thing takes the same steps, and so the same time, as one of an account that exists.
 */
export const NOBODYS_ORGANIZATION = 'org_00000000000000000000000000';
