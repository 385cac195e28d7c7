import { deriveRolePassword, readMasterKey } from '@svc/keyring/master-key.ts';
import type { DatabaseRole } from '@svc/postgres/connect.ts';

/** The master key of every test, as the planes take it: base64 of 32 bytes. It protects nothing. */
export const TEST_MASTER_KEY = Buffer.from('a master key that tests all know').toString('base64');

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);
const { key } = read;

/** What a plane started with the test master key logs in with. */
export const testRolePassword = (role: DatabaseRole): string => deriveRolePassword(key, role);
