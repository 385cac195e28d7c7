import { type NOUNS, nounEntries } from './nouns.ts';
import { WIRE_NAME } from './wire-name.ts';

type Nouns = typeof NOUNS;

/** A noun whose rows have ids. */
export type IdNoun = { [Noun in keyof Nouns]: Nouns[Noun] extends { readonly idPrefix: string } ? Noun : never }[keyof Nouns];

/** Prefix of ids by noun. An id is a name, never a credential. */
export const ID_PREFIXES = Object.fromEntries(
  nounEntries.flatMap(([noun, { idPrefix }]) => (idPrefix === undefined ? [] : [[noun, idPrefix]])),
) as { readonly [Noun in IdNoun]: Nouns[Noun]['idPrefix'] };

export type IdOf<Noun extends IdNoun> = `${(typeof ID_PREFIXES)[Noun]}_${string}`;

/** A ULID: 26 Crockford base-32 digits, the first at most 7, so that it fits in 128 bits. */
export const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** Returns the anchored regular expression source of a noun's ids, for schemas. */
export const getIdPattern = (noun: IdNoun): string => `^${ID_PREFIXES[noun]}_${ULID_PATTERN}$`;

export const isId = <Noun extends IdNoun>(noun: Noun, text: string): text is IdOf<Noun> => {
  const prefix = `${ID_PREFIXES[noun]}_`;
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
};

/** Builds the id of a noun from a ULID. */
export const buildId = <Noun extends IdNoun>(noun: Noun, ulid: string): IdOf<Noun> => `${ID_PREFIXES[noun]}_${ulid}`;

/** Prefixes by which secret scanners recognise leaked secrets, and readers distinguish kinds. */
export const SECRET_PREFIXES = {
  session: `${WIRE_NAME}_ses_`,
  api_key: `${WIRE_NAME}_key_`,
  invitation: `${WIRE_NAME}_inv_`,
  setup_link: `${WIRE_NAME}_setup_`,
  scim: `${WIRE_NAME}_scim_`,
  sso_browser: `${WIRE_NAME}_sso_`,
  mfa_challenge: `${WIRE_NAME}_mfa_`,
  cli_code: `${WIRE_NAME}_cli_`,
  password_reset: `${WIRE_NAME}_reset_`,
  password_link: `${WIRE_NAME}_forgot_`,
  webhook_secret: 'whsec_',
} as const;

export type SecretKind = keyof typeof SECRET_PREFIXES;
