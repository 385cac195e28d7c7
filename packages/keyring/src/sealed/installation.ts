import type { KeyObject } from 'node:crypto';
import { deriveKey, deriveRolePassword, deriveTag } from './master-key.ts';
import { createPlatformKey, opensPlatformKey, type StoredPlatformKey } from './platform-key.ts';

const ID_CHARACTERS = 10;

export type RoleLogin = { readonly user: string; readonly password: string };

/** Derives the short, lower-case id after which the database's roles are named. The same wherever the same master key is. */
const deriveInstallationId = (masterKey: KeyObject): string => deriveTag(masterKey, 'installation-id').slice(0, ID_CHARACTERS);

/** Derives the database login of a plane for one duty: `svc_app` becomes `svc_<installation>_app`. */
export const deriveRoleLogin = (masterKey: KeyObject, role: string): RoleLogin => ({
  user: role.replace(/^svc_/, `svc_${deriveInstallationId(masterKey)}_`),
  password: deriveRolePassword(masterKey, role),
});

/** Derives what a database stores about its installation, including the check that recognizes the right master key. */
export const deriveInstallation = (masterKey: KeyObject) => ({
  id: deriveInstallationId(masterKey),
  keyCheck: deriveTag(masterKey, 'installation-check'),
  loginOf: (role: string): RoleLogin => deriveRoleLogin(masterKey, role),
  opens: (sealed: StoredPlatformKey): boolean => opensPlatformKey(deriveKey(masterKey, 'platform-key-wrapping'), sealed),
  newPlatformKey: (): StoredPlatformKey => createPlatformKey(deriveKey(masterKey, 'platform-key-wrapping')),
});
