import type { TestResponse } from '@svc/testing/people/client.ts';
import type { RaceScene } from './scene.ts';

/** Something that may be used once, created for each round. */
export type Race = {
  /** Uses it on one of the planes; `n` numbers the concurrent uses. */
  readonly use: (n: number, controlUrl: string) => Promise<TestResponse>;
  /** Checks other facts after all responses; returns a sentence for each violation. */
  readonly faults?: () => Promise<readonly string[]>;
};

/** Creation of such a thing, and the response to a second use. */
export type RaceCase = {
  readonly name: string;
  readonly ready: (scene: RaceScene) => Promise<Race>;
  readonly loses: readonly string[];
  /** Number of additional sessions after a round. */
  readonly opens: number;
  /** Maximum if it depends on the winner. */
  readonly opensMax?: number;
  /** True if each use hashes a password, sequentially: a single round takes seconds on a busy machine. */
  readonly hashes?: boolean;
  /** Statement that expires it in its rows, by the database's clock; omitted if it is not stored. */
  readonly expire?: string;
  /** True if it is used before the first sign-up. */
  readonly isFirstStart?: boolean;
};

export const PARALLEL = 32;

/** Counts responses by code. */
const countCodes = (answers: readonly TestResponse[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { status, json } of answers) {
    const code = status < 300 ? 'wins' : (json?.error?.code ?? String(status));
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};

const sessionsIn = async ({ owner, firstStartOwner }: RaceScene, { isFirstStart }: RaceCase): Promise<number> =>
  (await (isFirstStart ? firstStartOwner : owner).query('select count(*)::int as n from sessions')).rows[0].n;

/** Returns what was wrong in one round; empty if exactly one of the concurrent uses won. */
export const runRound = async (scene: RaceScene, door: RaceCase, parallel = PARALLEL): Promise<readonly string[]> => {
  await scene.forget();
  const { use, faults } = await door.ready(scene);
  const before = await sessionsIn(scene, door);
  const answers = await Promise.all(Array.from({ length: parallel }, (_, n) => use(n, scene.urls[n % scene.urls.length] ?? '')));
  const { wins = 0, ...lost } = countCodes(answers);
  const told = JSON.stringify(lost);
  const opened = (await sessionsIn(scene, door)) - before;
  return [
    ...(wins === 1 ? [] : [`${wins} won, the others were told ${told}`]),
    ...(Object.keys(lost).every((code) => door.loses.includes(code)) ? [] : [`others were told ${told}`]),
    ...(opened >= door.opens && opened <= (door.opensMax ?? door.opens) ? [] : [`${opened} sessions were opened`]),
    ...((await faults?.()) ?? []),
  ];
};
