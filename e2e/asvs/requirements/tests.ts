import { partsOf, testsOf } from '../requirement.ts';

const PEOPLE = 'apps/control-plane/src/people';
const KEYRING = 'packages/keyring/src';

/** Files that several chapters name. */
export const AUTH = testsOf(`${PEOPLE}/auth/auth.test.ts`);
export const BROWSER = testsOf(`${PEOPLE}/auth/browser-session.test.ts`);
export const LOCKOUT = testsOf(`${PEOPLE}/auth/lockout.test.ts`);
export const MAILED_SIGNUP = testsOf(`${PEOPLE}/auth/mailed-signup.test.ts`);
export const SIGNUP = testsOf(`${PEOPLE}/auth/signup.test.ts`);
export const CLI = testsOf(`${PEOPLE}/cli/cli.test.ts`);
export const DEVICES = testsOf(`${PEOPLE}/device-approvals/device-approvals.test.ts`);
export const INVITATIONS = testsOf(`${PEOPLE}/invitations/invitations.test.ts`);
export const MEMBERS = testsOf(`${PEOPLE}/members/members.test.ts`);
export const OWN_ROLES = testsOf(`${PEOPLE}/roles/own-roles.test.ts`);
export const PAGE = testsOf(`${PEOPLE}/pages/pages.test.ts`);
export const PASSWORDS = testsOf(`${PEOPLE}/passwords/passwords.test.ts`);
export const SCIM = testsOf(`${PEOPLE}/scim/scim.test.ts`);
export const FACTORS = testsOf(`${PEOPLE}/second-factors/second-factors.test.ts`);
export const PASSKEYS = testsOf(`${PEOPLE}/second-factors/passkeys.test.ts`);
export const REQUIRED_FACTOR = testsOf(`${PEOPLE}/second-factors/required.test.ts`);
export const SESSIONS = testsOf(`${PEOPLE}/sessions/sessions.test.ts`);
export const SSO = testsOf(`${PEOPLE}/sso/sso-sign-in.test.ts`);
export const LYING_PROVIDER = testsOf(`${PEOPLE}/sso/lying-provider.test.ts`);
export const CONNECTIONS = testsOf(`${PEOPLE}/sso/connections.test.ts`);

export const PASSWORD_HASH = testsOf(`${KEYRING}/passwords/password.test.ts`);
export const GUESSABLE = testsOf(`${KEYRING}/passwords/guessable-password.test.ts`);
export const RECOVERY_CODES = testsOf(`${KEYRING}/factors/recovery-codes.test.ts`);
export const ENVELOPE = testsOf(`${KEYRING}/sealed/envelope.test.ts`);
export const MASTER_KEY = testsOf(`${KEYRING}/sealed/master-key.test.ts`);
export const PLATFORM_KEY = testsOf(`${KEYRING}/sealed/platform-key.test.ts`);
export const AGENT_TOKEN = testsOf(`${KEYRING}/tokens/agent-token.test.ts`);
export const PASSPORT = testsOf(`${KEYRING}/tokens/passport.test.ts`);
export const ASSERTION = testsOf(`${KEYRING}/tokens/verify-assertion.test.ts`);
export const SECRET_TOKEN = testsOf(`${KEYRING}/tokens/secret-token.test.ts`);

export const SECURE_CONNECTION = testsOf('packages/egress/src/connection/secure-connection.test.ts');
export const EGRESS = testsOf('e2e/attacks/egress.test.ts');
export const SECRETS = testsOf('e2e/attacks/secrets.test.ts');
export const PRIVILEGES = testsOf('e2e/attacks/privileges.test.ts');
export const PERMISSION_SWEEP = testsOf('e2e/sweeps/permission-sweep.test.ts');
export const TENANT_SWEEP = testsOf('e2e/sweeps/tenant-sweep.test.ts');
export const ROWS = testsOf('e2e/rows/rows.test.ts');
export const ASSERTIONS_E2E = testsOf('e2e/bad-input/assertions.test.ts');
export const TRANSPORT = testsOf('e2e/bad-input/transport.test.ts');
export const AS_IT_COMES = testsOf('e2e/promises/as-it-comes.test.ts');
export const REFUSED_IN_LOG = testsOf('e2e/promises/refused-in-log.test.ts');
export const LOG_IDS = testsOf('e2e/promises/log-ids.test.ts');
export const ROLES_OF_DATABASE = testsOf('packages/postgres/src/migrate/row-level-security.test.ts');
export const PAGES_SEEN = testsOf('e2e/pages/pages.test.ts');
export const TOKENS_RULE = testsOf('tools/rules/tokens.test.ts');

export const SETTINGS_TOLD = testsOf('e2e/documents/security-settings.test.ts');
export const DATA_TOLD = testsOf('e2e/documents/data-and-keys.test.ts');
export const SETTINGS_PAGE = partsOf('docs/operating/security-settings.md');
export const DATA_PAGE = partsOf('docs/operating/data-and-keys.md');
