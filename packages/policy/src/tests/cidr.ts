import { type EvaluationState, spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import type { Address } from '../values/address.ts';
import { parseNetwork } from '../values/network.ts';
import { type AddressWords, newWords, type ReadAddress, readAddress } from '../values/read-address.ts';

/** The first and the last address of a network. */
type Span = { readonly isFour: boolean; readonly first: AddressWords; readonly last: AddressWords };

const WORD_BITS = 32;
const WORDS = 4;

const getWords = (address: Address): AddressWords => {
  const bytes = address.toByteArray();
  const words = newWords();
  const first = WORDS - bytes.length / 4;
  for (const [at, byte] of bytes.entries()) {
    const word = first + (at >> 2);
    words[word] = (words[word] as number) * 256 + byte;
  }
  return words;
};

const getSpan = (text: string): Span => {
  const network = parseNetwork(text);
  if ('fault' in network) throw new Error(`A stored condition contains an invalid network: ${network.fault}`);
  const isFour = network.address.kind() === 'ipv4';
  const first = getWords(network.address);
  const fixed = network.bits + (isFour ? (WORDS - 1) * WORD_BITS : 0);
  const last = first.map((word, at) => {
    const free = Math.min(WORD_BITS, Math.max(0, (at + 1) * WORD_BITS - fixed));
    return word + 2 ** free - 1;
  });
  return { isFour, first, last };
};

/** Returns a negative number if the first comes before the other. */
const compare = (one: AddressWords, other: AddressWords): number => {
  for (let at = 0; at < WORDS; at += 1) {
    const difference = (one[at] as number) - (other[at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
};

/**
 * Returns the spans in ascending order and disjoint: of two networks that overlap one contains the other, and the inner one adds nothing.
 */
const outermost = (spans: readonly Span[]): Span[] => {
  const rising = spans.toSorted((left, right) => compare(left.first, right.first) || compare(right.last, left.last));
  const kept: Span[] = [];
  for (const span of rising) if (kept.length === 0 || compare(span.last, (kept.at(-1) as Span).last) > 0) kept.push(span);
  return kept;
};

const isIn = (spans: readonly Span[], address: AddressWords): boolean => {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last } = spans[middle] as Span;
    if (compare(address, first) < 0) high = middle - 1;
    else if (compare(address, last) > 0) low = middle + 1;
    else return true;
  }
  return false;
};

/** Longer texts are parsed once per decision, so that all of them take no longer than the request is long. */
const readOnce = (run: EvaluationState, text: string): ReadAddress => {
  run.addresses ??= new Map();
  const known = run.addresses.get(text);
  if (known !== undefined) return known;
  const words = newWords();
  const found = { family: readAddress(text, words), words };
  run.addresses.set(text, found);
  return found;
};

/** The parse result of the last short text; one is parsed at a time. */
const lastWords = newWords();

const readFor = (run: EvaluationState, text: string): ReadAddress =>
  text.length > WORK.addressLength ? readOnce(run, text) : { family: readAddress(text, lastWords), words: lastWords };

/**
 * The address is in one of the networks; text that is no address is unknown. Uses binary search, so that a thousand networks cost ten
 * comparisons. Throws on networks that were never validated.
 */
export const compileCidr = (expected: string | readonly string[]): Test => {
  const spans = [expected].flat().map(getSpan);
  const four = outermost(spans.filter(({ isFour }) => isFour));
  const six = outermost(spans.filter(({ isFour }) => !isFour));
  return (actual, run) => {
    if (typeof actual !== 'string') return UNKNOWN;
    spend(run, Math.min(actual.length, WORK.addressLength) * WORK.address);
    const { family, words } = readFor(run, actual);
    if (family === 0) return UNKNOWN;
    return isIn(family === 4 ? four : six, words) ? TRUE : FALSE;
  };
};

/** Returns a function that is true for an address in one of the networks. Throws on networks that were never validated. */
export const compileNetworks = (networks: readonly string[]): ((address: string) => boolean) => {
  const spans = networks.map(getSpan);
  const four = outermost(spans.filter(({ isFour }) => isFour));
  const six = outermost(spans.filter(({ isFour }) => !isFour));
  return (address) => {
    const family = spans.length === 0 ? 0 : readAddress(address, lastWords);
    return family !== 0 && isIn(family === 4 ? four : six, lastWords);
  };
};
