import type { Answer } from '@svc/testing/people/client.ts';
import type { Scene } from './scene.ts';

/** One thing that may be used once, made anew for each round. */
export type Race = {
  /** Uses it, at one of the planes; the `n`-th of those at the same moment. */
  readonly use: (n: number, controlUrl: string) => Promise<Answer>;
  /** What holds besides, once all have been answered; a sentence for each thing that does not. */
  readonly faults?: () => Promise<readonly string[]>;
};

/** How such a thing is made, and what whoever comes second is told. */
export type Door = {
  readonly name: string;
  readonly ready: (scene: Scene) => Promise<Race>;
  readonly loses: readonly string[];
  /** How many sessions there are more after a round. */
  readonly opens: number;
  /** Where it depends on who wins, at most. */
  readonly opensMax?: number;
  /** Whether each use hashes a password, one after the other: a single round takes seconds on a busy machine. */
  readonly hashes?: boolean;
  /** Ends its time in its rows, where it is kept in rows, by the clock of the database. */
  readonly expire?: string;
  /** Whether it is asked where nobody has signed up yet. */
  readonly isFirstStart?: boolean;
};

export const PARALLEL = 32;

/** Answers by what they say, and how often. */
const countCodes = (answers: readonly Answer[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { status, json } of answers) {
    const code = status < 300 ? 'wins' : (json?.error?.code ?? String(status));
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};

const sessionsIn = async ({ owner, firstStartOwner }: Scene, { isFirstStart }: Door): Promise<number> =>
  (await (isFirstStart ? firstStartOwner : owner).query('select count(*)::int as n from sessions')).rows[0].n;

/** What was wrong in one round; nothing where exactly one of all that came at the same moment won. */
export const runRound = async (scene: Scene, door: Door, parallel = PARALLEL): Promise<readonly string[]> => {
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
