import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { DATABASE_ROLES, type DatabaseRole } from '@svc/postgres/connection/connect.ts';

/** The master key of every test, as the planes take it: base64 of 32 bytes. It protects nothing. */
export const TEST_MASTER_KEY = Buffer.from('a master key that tests all know').toString('base64');

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);

/** What the databases of the tests are set up for. */
export const TEST_INSTALLATION = deriveInstallation(read.key);

/** Authenticates events as a program with the test master key does. */
export const TEST_AUTHENTICATOR = newEventAuthenticator(read.key);

/** The login of a plane that was started with the test master key, and what it authenticates events with. */
export const testLogin = (role: DatabaseRole) => ({ ...TEST_INSTALLATION.loginOf(role), authenticator: TEST_AUTHENTICATOR });

/** What a role is called in the databases of the tests. */
export const testRole = (role: DatabaseRole): string => testLogin(role).user;

/** The logins of all roles, for a pooler that needs to know their passwords. */
export const listTestLogins = (): readonly { readonly user: string; readonly password: string }[] => DATABASE_ROLES.map(testLogin);
