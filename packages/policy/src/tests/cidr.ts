import { spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { type AddressNumber, addressNumber, numberOfBytes } from '../values/address-number.ts';
import { parseNetwork } from '../values/network.ts';

/** The first and the last address of a network. */
type Span = { readonly first: AddressNumber; readonly last: AddressNumber };

const spanOf = (text: string): Span => {
  const network = parseNetwork(text);
  if ('fault' in network) throw new Error(`A stored condition holds a network that is none: ${network.fault}`);
  const first = numberOfBytes(network.address.toByteArray());
  if (typeof first === 'number') return { first, last: first + 2 ** (32 - network.bits) - 1 };
  return { first, last: first + (1n << BigInt(128 - network.bits)) - 1n };
};

/** In rising order and apart from each other: of two networks that meet one holds the other, and the inner one adds nothing. */
const outermost = (spans: readonly Span[]): Span[] => {
  const rising = spans.toSorted((left, right) =>
    left.first < right.first ? -1 : left.first > right.first ? 1 : left.last > right.last ? -1 : 1,
  );
  const kept: Span[] = [];
  for (const span of rising) if (kept.length === 0 || span.last > (kept.at(-1) as Span).last) kept.push(span);
  return kept;
};

const isIn = (spans: readonly Span[], address: AddressNumber): boolean => {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last } = spans[middle] as Span;
    if (address < first) high = middle - 1;
    else if (address > last) low = middle + 1;
    else return true;
  }
  return false;
};

/**
 * The address lies in one of the networks; text that is no address is unknown. Found by halving, so that a thousand networks cost ten
 * comparisons. Throws on networks that were never validated.
 */
export const compileCidr = (expected: string | readonly string[]): Test => {
  const spans = [expected].flat().map(spanOf);
  const four = outermost(spans.filter(({ first }) => typeof first === 'number'));
  const six = outermost(spans.filter(({ first }) => typeof first === 'bigint'));
  return (actual, run) => {
    if (typeof actual === 'string') spend(run, Math.min(actual.length, WORK.addressLength) * WORK.address);
    const address = typeof actual === 'string' ? addressNumber(actual) : null;
    if (address === null) return UNKNOWN;
    return isIn(typeof address === 'number' ? four : six, address) ? TRUE : FALSE;
  };
};
