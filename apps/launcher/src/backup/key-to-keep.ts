import { masterKeyId } from '@svc/keyring/sealed/installation-key.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { listLiveKeys } from '@svc/operations/service/keys/open-installation-key.ts';
import type { KeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { readKeyFile } from '@svc/program/keys/read-key-file.ts';
import { getMasterKeyPath } from '../data-folder/master-key.ts';
import type { LauncherSettings } from '../settings/settings.ts';

/** An available master key, and its location. */
type AtHand = { readonly master: MasterKey; readonly where: string };

const inDataFolder = (dataDir: string): AtHand | undefined => {
  const where = getMasterKeyPath(dataDir);
  const file = readKeyFile(where);
  if (file === undefined || 'fault' in file) return undefined;
  const read = readMasterKey(file.text);
  return read.ok ? { master: { kind: 'KEY', key: read.key }, where } : undefined;
};

const atHand = ({ masterKey, masterKeyFile: named, dataDir }: LauncherSettings): AtHand | undefined => {
  if (masterKey === undefined) return inDataFolder(dataDir);
  if (masterKey.kind === 'COMMAND') return { master: masterKey, where: 'what SVC_MASTER_KEY_COMMAND unwraps with' };
  return { master: masterKey, where: named ?? 'what SVC_MASTER_KEY was set to' };
};

const opens = (kept: KeptKeys, { master }: AtHand): boolean => {
  if (kept.state !== 'wrapped') return true;
  const id = master.kind === 'KEY' ? masterKeyId(master.key) : undefined;
  return listLiveKeys(kept).some((each) => each.kind === master.kind && (id === undefined || each.id === id));
};

const OTHERWISE = 'Without it nothing can be restored.';

/** Returns a sentence about what must be kept with a backup; never a key that opens nothing any more. Runs no key command. */
export const describeKeyToKeep = (kept: KeptKeys, settings: LauncherSettings): string => {
  const found = atHand(settings);
  if (found && opens(kept, found)) return `The master key is not in it: keep ${found.where} too, in another place. ${OTHERWISE}`;
  const ids = listLiveKeys(kept).map(({ id, kind }) => (kind === 'KEY' ? `the master key ${id}` : 'what the command unwraps with'));
  const those = ids.length === 0 ? 'the one that the service is started with' : ids.join(', or ');
  const instead = found === undefined ? '' : `, and ${found.where} opens nothing here any more`;
  return `The master key is not in it${instead}: keep ${those}, in another place. ${OTHERWISE}`;
};
