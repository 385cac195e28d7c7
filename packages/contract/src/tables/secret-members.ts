/**
 * Members of requests and responses that hold secrets. A row marks them with `secret()`, which accepts no other name. Logs, traces and
 * recorded changes hide the value `anywhere`, or only where a row marks it.
 */
export const SECRET_MEMBERS = {
  password: 'anywhere',
  current_password: 'anywhere',
  new_password: 'anywhere',
  token: 'anywhere',
  setup_token: 'anywhere',
  mfa_challenge: 'anywhere',
  recovery_code: 'anywhere',
  recovery_codes: 'anywhere',
  otpauth_url: 'anywhere',
  qr_code: 'anywhere',
  private_key: 'anywhere',
  client_secret: 'anywhere',
  refresh_token: 'anywhere',
  access_token: 'anywhere',
  client_assertion: 'anywhere',
  subject_token: 'anywhere',
  actor_token: 'anywhere',
  user_code: 'anywhere',
  csrf_token: 'anywhere',
  code_verifier: 'anywhere',
  redirect_uri: 'where marked',
  assertion: 'anywhere',
  secret: 'anywhere',
  api_key: 'anywhere',
  // Incoming webhook of a chat: its holder can write there.
  webhook_url: 'anywhere',
  // Code of a second factor; elsewhere a code is that of an error, a country or a currency.
  code: 'where marked',
} as const satisfies Record<string, 'anywhere' | 'where marked'>;

export type SecretMember = keyof typeof SECRET_MEMBERS;
