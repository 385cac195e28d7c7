import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { DatabaseRole } from '@svc/postgres/connection/connect.ts';

/** The master key of every test, as the planes take it: base64 of 32 bytes. It protects nothing. */
export const TEST_MASTER_KEY = Buffer.from('a master key that tests all know').toString('base64');

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);

/** What the databases of the tests are set up for. */
export const TEST_INSTALLATION = deriveInstallation(read.key);

/** What a plane started with the test master key logs in with. */
export const testLogin = (role: DatabaseRole): { readonly user: string; readonly password: string } => TEST_INSTALLATION.loginOf(role);

/** What a role is called in the databases of the tests. */
export const testRole = (role: DatabaseRole): string => testLogin(role).user;
