import type { KeyObject } from 'node:crypto';
import { masterKeyId } from '@svc/keyring/sealed/installation-key.ts';
import {
  addWrappedKey,
  changeKeys,
  forgetFormer,
  type KeptKeys,
  readKeptKeys,
  retireKeys,
  type WrappedKey,
} from '@svc/postgres/migrate/installation-keys.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { HOLDS_FORMER } from './holds-former.ts';
import { findAllOpened, findOpened, formatTime, listLiveKeys, notThisOne } from './open-installation-key.ts';
import { isSameMaster, wrapKey } from './wrap-key.ts';

export type Rewrap = {
  readonly ownerUrl: string;
  readonly from: MasterKey;
  readonly to: MasterKey;
  /** Actor and reason of the change. */
  readonly by: string;
  readonly reason: string;
};

const DIRECT =
  'The keys of this installation come from its master key itself, as those of versions before this one do: stop everything that runs on this database and start it once with npm start, which gives it a key of its own; then change the master key.';

const OLDER =
  'The database has an older version that cannot resume after a crash. Nothing was changed. Start this version once with npm start, then change the master key.';

type Found = {
  readonly key: KeyObject;
  readonly present: WrappedKey;
  /** Entry that the new master key already opens, if the change was begun before. */
  readonly begun: WrappedKey | undefined;
};

const refuseUsed = ({ keys }: KeptKeys, to: MasterKey): void => {
  const id = to.kind === 'KEY' ? masterKeyId(to.key) : undefined;
  const used = keys.find((each) => each.id === id && each.retired_at !== undefined);
  if (used)
    throw new KeyFault(
      `The master key ${id} was in use until ${formatTime(used.retired_at)}, and people who knew it then still know it. Choose a new one.`,
    );
};

/** Returns the entry that the new master key opens; none if its command fails. */
const begunBy = async (kept: KeptKeys, to: MasterKey): Promise<WrappedKey | undefined> => {
  try {
    return (await findOpened(kept, to))?.by;
  } catch (error) {
    if (error instanceof KeyFault) return undefined;
    throw error;
  }
};

/** Returns what is already done of the change. Throws a KeyFault if something prevents it. */
const look = async (kept: KeptKeys, { from, to }: Pick<Rewrap, 'from' | 'to'>): Promise<Found> => {
  if (kept.state !== 'wrapped')
    throw new KeyFault(kept.state === 'direct' ? DIRECT : 'This database contains no service. Start the service once.');
  if (!kept.canMark) throw new KeyFault(OLDER);
  // The last one is current if the command opens several.
  const opened = (await findAllOpened(kept, from)).at(-1);
  if (opened === undefined) throw notThisOne(kept, from);
  if (isSameMaster(from, to)) throw new KeyFault('The new master key is the current one. Nothing was changed.');
  refuseUsed(kept, to);
  const others = listLiveKeys(kept).filter(({ id }) => id !== opened.by.id);
  const begun = others.length === 0 ? undefined : await begunBy({ ...kept, keys: others }, to);
  if (others.length > 0 && begun === undefined)
    throw new KeyFault(
      `A change to the master key ${others.map(({ id }) => id).join(' and ')} was begun and is not finished: repeat it as it was begun, or take it back with "npm run ops -- admin rewrap --finish", which keeps the master key of these settings alone.`,
    );
  return { key: opened.key, present: opened.by, begun };
};

/** Previews a change without making it. Throws a KeyFault if it would be refused. */
export const planRewrap = async ({ ownerUrl, from, to }: Pick<Rewrap, 'ownerUrl' | 'from' | 'to'>): Promise<Found> =>
  look(await readKeptKeys(ownerUrl), { from, to });

/**
 * Wraps the installation key under another master key as well, and verifies it by reading it back. Both open it until the current one is
 * retired. A repeated call after an interruption continues.
 */
export const wrapAgain = async ({ ownerUrl, from, to, by, reason }: Rewrap): Promise<{ readonly was: string; readonly is: string }> => {
  const { was, is } = await changeKeys(ownerUrl, async (client, kept) => {
    const { key, present, begun } = await look(kept, { from, to });
    if (begun !== undefined) return { was: present.id, is: begun.id };
    const wrapped = await wrapKey(to, key);
    await addWrappedKey(client, wrapped, { by, reason });
    return { was: present.id, is: wrapped.id };
  });
  const kept = await readKeptKeys(ownerUrl);
  if ((await findOpened({ ...kept, keys: kept.keys.filter(({ id }) => id === is) }, to)) === undefined)
    throw new KeyFault('The data wrapped with the new master key could not be read back. The current key still opens it; nothing is lost.');
  return { was, is };
};

const BOTH =
  'The command of these settings opens what more than one master key wrapped, so it is not known which of them is to be kept, and nothing was changed: repeat the change as it was begun, without --keep-old and with the settings of before, which goes on with it and retires the one of before.';

type Kept = {
  readonly master: MasterKey;
  /** Id of the entry that it wrapped, if known. */
  readonly id?: string;
};

/** Returns which entry stays. Throws a KeyFault. */
const keptOf = async (kept: KeptKeys, { master, id }: Kept): Promise<string> => {
  const opened = await findAllOpened(id === undefined ? kept : { ...kept, keys: kept.keys.filter((each) => each.id === id) }, master, 2);
  if (opened[0] === undefined) throw notThisOne(kept, master);
  if (opened.length > 1) throw new KeyFault(BOTH);
  return opened[0].by.id;
};

/**
 * Keeps only this master key: removes what any other opened from the table and its file, and from the files of sealed data, which may hold
 * what a former master key opens. Returns the removed ones. Throws a KeyFault.
 */
export const retireOthers = async (ownerUrl: string, keep: Kept, by: string): Promise<readonly string[]> => {
  const retired = await changeKeys(ownerUrl, async (client, kept) => {
    if (kept.state !== 'wrapped') throw new KeyFault(DIRECT);
    if (!kept.canMark) throw new KeyFault(OLDER);
    const stays = await keptOf(kept, keep);
    const ids = listLiveKeys(kept).flatMap(({ id }) => (id === stays ? [] : [id]));
    await retireKeys(client, ids, by);
    return ids;
  });
  await forgetFormer(ownerUrl, HOLDS_FORMER);
  return retired;
};
