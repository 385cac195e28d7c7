import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { DATABASE_ROLES, type DatabaseRole } from '@svc/postgres/connection/connect.ts';

/** Master key of every test in the planes' format: base64 of 32 bytes. It protects nothing. */
export const TEST_MASTER_KEY = Buffer.from('a master key that tests all know').toString('base64');

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);

/** Installation of the test databases. */
export const TEST_INSTALLATION = deriveInstallation(read.key);

/** Authenticates events like a program with the test master key does. */
export const TEST_AUTHENTICATOR = newEventAuthenticator(read.key);

/** Returns the login of a plane with the test master key, and its event authenticator. */
export const testLogin = (role: DatabaseRole) => ({ ...TEST_INSTALLATION.loginOf(role), authenticator: TEST_AUTHENTICATOR });

/** Returns the name of a role in the test databases. */
export const testRole = (role: DatabaseRole): string => testLogin(role).user;

/** The logins of all roles, for a pooler that needs to know their passwords. */
export const listTestLogins = (): readonly { readonly user: string; readonly password: string }[] => DATABASE_ROLES.map(testLogin);
