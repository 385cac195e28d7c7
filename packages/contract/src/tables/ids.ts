import { WIRE_NAME } from './wire-name.ts';

/** Noun -> prefix of its identifiers. An identifier is a name, never a credential. */
export const ID_PREFIXES = {
  organization: 'org',
  workspace: 'wsp',
  environment: 'env',
  user: 'usr',
  session: 'ses',
  cli_request: 'cli',
  role: 'rol',
  member: 'mem',
  invitation: 'inv',
  sso_connection: 'sso',
  sso_identity: 'idn',
  directory_group: 'grp',
  second_factor: 'fac',
  device_approval: 'dap',
  api_key: 'apk',
  agent: 'agt',
  passport: 'psp',
  tool: 'tool',
  tool_import: 'tim',
  policy: 'pol',
  policy_version: 'pvr',
  policy_test_case: 'ptc',
  policy_binding: 'bnd',
  policy_invariant: 'pin',
  delegation: 'del',
  credential: 'cred',
  credential_lease: 'lea',
  action: 'act',
  approval: 'apr',
  audit_event: 'evt',
  incident: 'inc',
  request: 'req',
  webhook_subscription: 'whs',
  webhook_delivery: 'dlv',
  exchange_rate: 'fxr',
  runtime: 'rtm',
  runtime_finding: 'fnd',
  verification_run: 'run',
  mcp_server: 'mcp',
  mcp_tool: 'mct',
  a2a_connection: 'a2a',
  risk_event: 'rsk',
  trust_evidence: 'trv',
  notification: 'ntf',
  notification_channel: 'nch',
  audit_search: 'asr',
  mail: 'mal',
  sign_up: 'sgn',
} as const satisfies Record<string, string>;

export type IdNoun = keyof typeof ID_PREFIXES;
export type IdOf<Noun extends IdNoun> = `${(typeof ID_PREFIXES)[Noun]}_${string}`;

/** A ULID: 26 Crockford base-32 digits, the first at most 7, so that 128 bits are never exceeded. */
export const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** Regular expression source of one noun's identifiers, anchored, for schemas. */
export const idPattern = (noun: IdNoun): string => `^${ID_PREFIXES[noun]}_${ULID_PATTERN}$`;

export const isId = <Noun extends IdNoun>(noun: Noun, text: string): text is IdOf<Noun> => {
  const prefix = `${ID_PREFIXES[noun]}_`;
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
};

/** The identifier of a noun, from a ULID that the caller made. */
export const idOf = <Noun extends IdNoun>(noun: Noun, ulid: string): IdOf<Noun> => `${ID_PREFIXES[noun]}_${ulid}`;

/** Prefixes that let a secret scanner recognise a leaked secret, and let a reader tell the kinds apart. */
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
