import { proveByHeading, proveByTest } from '../requirement.ts';

const PEOPLE = 'apps/control-plane/src/people';
const KEYRING = 'packages/keyring/src';

/** Files that several chapters name. */
export const AUTH = proveByTest(`${PEOPLE}/auth/auth.test.ts`);
export const BROWSER = proveByTest(`${PEOPLE}/auth/browser-session.test.ts`);
export const LOCKOUT = proveByTest(`${PEOPLE}/auth/lockout.test.ts`);
export const MAILED_SIGNUP = proveByTest(`${PEOPLE}/auth/mailed-signup.test.ts`);
export const SIGNUP = proveByTest(`${PEOPLE}/auth/signup.test.ts`);
export const CLI = proveByTest(`${PEOPLE}/cli/cli.test.ts`);
export const DEVICES = proveByTest(`${PEOPLE}/device-approvals/device-approvals.test.ts`);
export const INVITATIONS = proveByTest(`${PEOPLE}/invitations/invitations.test.ts`);
export const MEMBERS = proveByTest(`${PEOPLE}/members/members.test.ts`);
export const OWN_ROLES = proveByTest(`${PEOPLE}/roles/own-roles.test.ts`);
export const PAGE = proveByTest(`${PEOPLE}/pages/pages.test.ts`);
export const PASSWORDS = proveByTest(`${PEOPLE}/passwords/passwords.test.ts`);
export const SCIM = proveByTest(`${PEOPLE}/scim/scim.test.ts`);
export const FACTORS = proveByTest(`${PEOPLE}/second-factors/second-factors.test.ts`);
export const PASSKEYS = proveByTest(`${PEOPLE}/second-factors/passkeys.test.ts`);
export const REQUIRED_FACTOR = proveByTest(`${PEOPLE}/second-factors/required.test.ts`);
export const SESSIONS = proveByTest(`${PEOPLE}/sessions/sessions.test.ts`);
export const SSO = proveByTest(`${PEOPLE}/sso/sso-sign-in.test.ts`);
export const LYING_PROVIDER = proveByTest(`${PEOPLE}/sso/lying-provider.test.ts`);
export const CONNECTIONS = proveByTest(`${PEOPLE}/sso/connections.test.ts`);

export const PASSWORD_HASH = proveByTest(`${KEYRING}/passwords/password.test.ts`);
export const GUESSABLE = proveByTest(`${KEYRING}/passwords/guessable-password.test.ts`);
export const RECOVERY_CODES = proveByTest(`${KEYRING}/factors/recovery-codes.test.ts`);
export const ENVELOPE = proveByTest(`${KEYRING}/sealed/envelope.test.ts`);
export const MASTER_KEY = proveByTest(`${KEYRING}/sealed/master-key.test.ts`);
export const PLATFORM_KEY = proveByTest(`${KEYRING}/sealed/platform-key.test.ts`);
export const AGENT_TOKEN = proveByTest(`${KEYRING}/tokens/agent-token.test.ts`);
export const PASSPORT = proveByTest(`${KEYRING}/tokens/passport.test.ts`);
export const ASSERTION = proveByTest(`${KEYRING}/tokens/verify-assertion.test.ts`);
export const SECRET_TOKEN = proveByTest(`${KEYRING}/tokens/secret-token.test.ts`);

export const SECURE_CONNECTION = proveByTest('packages/egress/src/connection/secure-connection.test.ts');
export const EGRESS = proveByTest('e2e/attacks/egress.test.ts');
export const SECRETS = proveByTest('e2e/attacks/secrets.test.ts');
export const PRIVILEGES = proveByTest('e2e/attacks/privileges.test.ts');
export const PERMISSION_SWEEP = proveByTest('e2e/sweeps/permission-sweep.test.ts');
export const TENANT_SWEEP = proveByTest('e2e/sweeps/tenant-sweep.test.ts');
export const ROWS = proveByTest('e2e/rows/rows.test.ts');
export const ASSERTIONS_E2E = proveByTest('e2e/bad-input/assertions.test.ts');
export const TRANSPORT = proveByTest('e2e/bad-input/transport.test.ts');
export const AS_IT_COMES = proveByTest('e2e/promises/as-it-comes.test.ts');
export const REFUSED_IN_LOG = proveByTest('e2e/promises/refused-in-log.test.ts');
export const LOG_IDS = proveByTest('e2e/promises/log-ids.test.ts');
export const ROLES_OF_DATABASE = proveByTest('packages/postgres/src/migrate/row-level-security.test.ts');
export const PAGES_SEEN = proveByTest('e2e/pages/pages.test.ts');
export const TOKENS_RULE = proveByTest('tools/rules/tokens.test.ts');

export const SETTINGS_DOCUMENTED = proveByTest('e2e/documents/security-settings.test.ts');
export const DATA_DOCUMENTED = proveByTest('e2e/documents/data-and-keys.test.ts');
export const SETTINGS_PAGE = proveByHeading('docs/operating/security-settings.md');
export const DATA_PAGE = proveByHeading('docs/operating/data-and-keys.md');
