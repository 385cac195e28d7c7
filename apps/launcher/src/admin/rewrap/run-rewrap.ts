import { existsSync } from 'node:fs';
import path from 'node:path';
import { findAllOpened, formatTime, listLiveKeys } from '@svc/operations/service/keys/open-installation-key.ts';
import { planRewrap, retireOthers, wrapAgain } from '@svc/operations/service/keys/rewrap.ts';
import { type KeptKeys, readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { provideDatabase, readConfiguredMasterKey } from '../../break-glass/reach-database.ts';
import { getMasterKeyPath } from '../../data-folder/master-key.ts';
import { getOperatorName } from '../../operator/operator-name.ts';
import type { LauncherSettings } from '../../settings/settings.ts';
import { dropNext, getMasterKeyFile, getNextKeyPath, provideKeyFile, takePlace } from './key-places.ts';
import type { RewrapCommand } from './read-rewrap.ts';

type Rewrapping = Extract<RewrapCommand, { readonly verb: 'rewrap' }>;
type Say = (line: string) => void;
type Place = { readonly ownerUrl: string; readonly from: MasterKey; readonly settings: LauncherSettings; readonly say: Say };

const AFTERWARDS = [
  'Anyone who knew the previous master key and copied the database at that time can open that copy, and all data sealed with the key of the',
  'installation in it. If that is possible, rotate the secrets themselves. Earlier backups can only be opened with the previous master',
  'key: keep it in a separate place, or create a new backup and destroy both.',
];

const tellEnd = (say: Say, ids: readonly string[]): void => {
  say(ids.length === 0 ? 'No other master key is valid.' : `Retired: ${ids.join(', ')}. It is no longer valid.`);
};

const tellLeft = (say: Say, former: readonly { readonly id: string }[]): void => {
  const ids = former.map(({ id }) => id).join(', ');
  say(`3 of 3  Left: the master key ${ids} opens it too, until "npm run ops -- admin rewrap --finish" is run with the new one.`);
};

/** Determines the location of the new key, and the action once it opens the database. */
const getTarget = ({ settings }: Place, { target }: Rewrapping): { readonly to: MasterKey; readonly place: () => string } => {
  if (target.place === 'command')
    return {
      to: { kind: 'COMMAND', command: { words: target.command, env: settings.commandEnvironment } },
      place: () => 'Start from now on with SVC_MASTER_KEY_COMMAND set to it.',
    };
  if (target.place === 'file') {
    const file = path.resolve(target.file);
    return { to: provideKeyFile(file), place: () => `Start from now on with SVC_MASTER_KEY_FILE=${file}, or with what is in it.` };
  }
  const file = getMasterKeyFile(settings);
  const to = provideKeyFile(getNextKeyPath(file));
  return {
    to,
    place: () => {
      takePlace(file, to);
      return `${file} contains the new master key. Copy it to every machine that starts this service, and to your backup location.`;
    },
  };
};

/** True if a change in place was interrupted after the new key had replaced the old one: then only retiring the old one is left. */
const wasPlaced = async ({ from, settings }: Place, { target }: Rewrapping, kept: KeptKeys): Promise<boolean> => {
  const live = listLiveKeys(kept);
  const last = live.at(-1);
  return (
    live.length > 1 &&
    last !== undefined &&
    target.place === 'same' &&
    !existsSync(getNextKeyPath(getMasterKeyFile(settings))) &&
    (await findAllOpened({ ...kept, keys: [last] }, from)).length > 0
  );
};

const tryOut = async (place: Place, command: Rewrapping): Promise<void> => {
  const { ownerUrl, from, settings, say } = place;
  const kept = await readKeptKeys(ownerUrl);
  const isNew = command.target.place === 'same' || (command.target.place === 'file' && !existsSync(path.resolve(command.target.file)));
  if (command.target.place === 'same') getMasterKeyFile(settings);
  // A key that would be created opens nothing yet, like any other.
  const to: MasterKey = isNew ? { kind: 'COMMAND', command: { words: ['/bin/false'], env: {} } } : getTarget(place, command).to;
  const { present } = await planRewrap({ ownerUrl, from, to });
  say(`The key of installation ${kept.installation?.id ?? ''} is wrapped under the master key ${present.id}.`);
  say(
    `It would be wrapped under ${isNew ? 'a new one' : 'the one that is named'}${command.keepsOld ? ', and under both until --finish' : ', and no more under that'}.`,
  );
  say('Nothing was changed.');
};

const rewrap = async (place: Place, command: Rewrapping): Promise<void> => {
  if (command.isTrial) return tryOut(place, command);
  const { ownerUrl, from, say } = place;
  const by = getOperatorName();
  const kept = await readKeptKeys(ownerUrl);
  if (await wasPlaced(place, command, kept)) {
    if (command.keepsOld) {
      say('The new master key was already in place.');
      tellLeft(say, listLiveKeys(kept).slice(0, -1));
      return;
    }
    say('The new master key was put in place by an interrupted run. The remaining steps run now.');
    tellEnd(say, await retireOthers(ownerUrl, { master: from }, by));
    return;
  }
  const { to, place: putInPlace } = getTarget(place, command);
  const { was, is } = await wrapAgain({ ownerUrl, from, to, by, reason: command.reason });
  say(`1 of 3  The key of the installation is wrapped under the master key ${is} too, and was read back by it.`);
  say(`2 of 3  ${putInPlace()}`);
  if (command.keepsOld) {
    tellLeft(say, [{ id: was }]);
    return;
  }
  const retired = await retireOthers(ownerUrl, { master: to, id: is }, by);
  say(`3 of 3  The master key ${retired.join(', ') || was} is retired. Running programs continue.`);
  for (const line of AFTERWARDS) say(line);
  const { settings } = place;
  if (settings.masterKey === undefined && command.target.place !== 'same')
    say(`${getMasterKeyPath(settings.dataDir)} contained it. Remove it when you keep no earlier backups.`);
};

/** Keeps only the current master key; a new one that did not replace it is deleted, since it is refused from now on. */
const finish = async ({ ownerUrl, from, settings, say }: Place): Promise<void> => {
  tellEnd(say, await retireOthers(ownerUrl, { master: from }, getOperatorName()));
  const { keys } = await readKeptKeys(ownerUrl);
  const dropped = dropNext(
    settings,
    keys.flatMap(({ id, retired_at }) => (retired_at === undefined ? [] : [id])),
  );
  if (dropped !== undefined) say(`${dropped} contained one of them and was removed.`);
};

const tellKeys = async ({ ownerUrl, say }: Place): Promise<void> => {
  const { keys } = await readKeptKeys(ownerUrl);
  if (keys.length === 0) say('All keys are derived from the master key itself. Nothing was changed.');
  for (const { id, kind, made_at, made_by, reason, retired_at, retired_by } of keys) {
    say(`${id}  ${kind === 'KEY' ? 'a key' : 'a command'}, since ${formatTime(made_at)} by ${made_by}: ${reason}`);
    say(retired_at === undefined ? '  opens the key of the installation' : `  retired on ${formatTime(retired_at)} by ${retired_by}`);
  }
};

/** npm run ops -- admin rewrap, and its subcommands. */
export const runRewrap = async (settings: LauncherSettings, command: RewrapCommand, say: Say): Promise<void> => {
  const from = readConfiguredMasterKey(settings);
  const { url: ownerUrl, stop } = await provideDatabase(settings);
  const place = { ownerUrl, from, settings, say };
  try {
    if (command.verb === 'rewrap') await rewrap(place, command);
    else if (command.verb === 'master-keys') await tellKeys(place);
    else await finish(place);
  } finally {
    await stop();
  }
};
