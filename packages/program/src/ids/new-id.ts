import { ID_PREFIXES, type IdNoun, type IdOf } from '@svc/contract/tables/ids.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory(randomFraction);

let timeMs: () => number = Date.now;

/** Sets the clock of identifiers: since they are searched by the times of their rows, both must use the same clock. */
export const nameByClock = (clock: () => number): void => {
  timeMs = clock;
};

/** Returns a new identifier; within this process each is greater than the one before. */
export const newId = <Noun extends IdNoun>(noun: Noun): IdOf<Noun> => `${ID_PREFIXES[noun]}_${nextUlid(Math.floor(timeMs()))}`;
