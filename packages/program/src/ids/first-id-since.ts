import { ID_PREFIXES, type IdNoun, type IdOf } from '@svc/contract/tables/ids.ts';
import { encodeTime } from 'ulid';

const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * Returns the smallest identifier that can have been created at a time. A row with a creation time got its identifier no earlier,
 * so a search by time reads no older part of an index that is ordered by identifier.
 */
export const getMinIdForTime = <Noun extends IdNoun>(noun: Noun, time: Date): IdOf<Noun> =>
  `${ID_PREFIXES[noun]}_${encodeTime(Math.max(0, time.getTime()), TIME_CHARS)}${'0'.repeat(RANDOM_CHARS)}`;
