import type { KeyObject } from 'node:crypto';
import { deriveKey, deriveRolePassword, deriveTag } from './master-key.ts';
import { createPlatformKey, opensPlatformKey, type StoredPlatformKey } from './platform-key.ts';

const ID_CHARACTERS = 10;

export type RoleLogin = { readonly user: string; readonly password: string };

/** Short, lower case: what the database's roles are named after. The same wherever the same master key is. */
const deriveInstallationId = (masterKey: KeyObject): string => deriveTag(masterKey, 'installation-id').slice(0, ID_CHARACTERS);

/** As whom a plane logs in for one duty: `svc_app` becomes `svc_<installation>_app`. */
export const deriveRoleLogin = (masterKey: KeyObject, role: string): RoleLogin => ({
  user: role.replace(/^svc_/, `svc_${deriveInstallationId(masterKey)}_`),
  password: deriveRolePassword(masterKey, role),
});

/** All that a database keeps of the installation it belongs to, and how the right master key is told from another. */
export const deriveInstallation = (masterKey: KeyObject) => ({
  id: deriveInstallationId(masterKey),
  keyCheck: deriveTag(masterKey, 'installation-check'),
  loginOf: (role: string): RoleLogin => deriveRoleLogin(masterKey, role),
  opens: (sealed: StoredPlatformKey): boolean => opensPlatformKey(deriveKey(masterKey, 'platform-key-wrapping'), sealed),
  newPlatformKey: (): StoredPlatformKey => createPlatformKey(deriveKey(masterKey, 'platform-key-wrapping')),
});
