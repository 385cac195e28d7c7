import type { SamlAssertion } from './read-assertion.ts';

/** Attribute names in which providers state an address, and display names. */
const ADDRESSES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
] as const;
const NAMES = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
] as const;
const VERIFIED = ['email_verified', 'emailVerified'] as const;
const ADDRESS_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Classes of authentication that ask for more than one factor. */
const SECOND: ReadonlySet<string> = new Set(['https://refeds.org/profile/mfa', 'http://schemas.microsoft.com/claims/multipleauthn']);

/** Returns the only value of the first attribute that is present; undefined if it has several, since neither can be preferred. */
const oneOf = (attributes: SamlAssertion['attributes'], names: readonly string[]): string | undefined => {
  const values = names.map((name) => attributes.get(name) ?? []).find((each) => each.length > 0) ?? [];
  return values.length === 1 ? values[0] : undefined;
};

/** Returns the provider's claim about the address; null if it makes none, as most do. Two values are treated as neither. */
const getVerified = (attributes: SamlAssertion['attributes']): string | boolean | null => {
  const values = VERIFIED.flatMap((name) => attributes.get(name) ?? []);
  return values.length === 0 ? null : values.length === 1 && (values[0] ?? false);
};

/** Converts an assertion to OpenID Connect claims, so that one use case signs people in. */
export const toClaims = ({ asserted, attributes, contexts }: SamlAssertion) => {
  const { nameId = '', nameIdFormat } = asserted;
  const email = oneOf(attributes, ADDRESSES) ?? (nameIdFormat === ADDRESS_FORMAT ? nameId : undefined);
  const name = oneOf(attributes, NAMES);
  return {
    ...Object.fromEntries(attributes),
    sub: nameId,
    email: email ?? null,
    email_verified: getVerified(attributes),
    name: name ?? null,
    amr: contexts.some((each) => SECOND.has(each)) ? ['mfa'] : [],
  };
};
