import { ID_PREFIXES, type IdNoun, type IdOf } from '@svc/contract/ids.ts';
import { randomFraction } from '@svc/keyring/random-fraction.ts';
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory(randomFraction);

/** A fresh identifier; within this process each is greater than the one before. */
export const newId = <Noun extends IdNoun>(noun: Noun): IdOf<Noun> => `${ID_PREFIXES[noun]}_${nextUlid()}`;
