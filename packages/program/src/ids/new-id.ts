import { ID_PREFIXES, type IdNoun, type IdOf } from '@svc/contract/tables/ids.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory(randomFraction);

let timeMs: () => number = Date.now;

/** From here on identifiers carry the time of this clock: what is in the order of identifiers is looked for by the times of its rows. */
export const nameByClock = (clock: () => number): void => {
  timeMs = clock;
};

/** A fresh identifier; within this process each is greater than the one before. */
export const newId = <Noun extends IdNoun>(noun: Noun): IdOf<Noun> => `${ID_PREFIXES[noun]}_${nextUlid(Math.floor(timeMs()))}`;
