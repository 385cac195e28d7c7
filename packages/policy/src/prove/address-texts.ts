import type { Fuel } from '@svc/solver/fuel.ts';
import { listAddressCandidates } from '../formula/address-candidates.ts';
import type { Atom } from '../formula/formula.ts';
import { listNamedTexts, listTextChoices, looksIntoTexts } from '../formula/text-choices.ts';
import { parseAddress } from '../values/address.ts';
import { listAddressSpellings, longAddress } from './address-spellings.ts';
import { OPEN } from './choice.ts';
import { type FoundValue, judged } from './found.ts';

/** Every text that could be read as an address, and others. */
const ADDRESS_LIKE = '^[0-9.]+$|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%.*)?$';
const PRODUCT_MAX = 1_000_000;
/** Cached outcomes per step of the budget. */
const KEPT_PER_STEP = 10;

const isNetwork = ({ condition }: Atom): boolean => condition.op === 'cidr';
const isPattern = ({ condition }: Atom): boolean => condition.op === 'matches';

/**
 * Returns the outcomes of text-searching conditions for an address: over all texts that could be one, `null` if they cannot be simulated.
 * For a text that is too long, patterns have no outcome.
 */
const listWays = (atoms: readonly Atom[], isLong: boolean, fuel: Fuel): (readonly number[])[] | null => {
  const looking = atoms.filter((atom) => looksIntoTexts(atom) && !(isLong && isPattern(atom)));
  const named = listNamedTexts(atoms);
  const { texts, complete } = listTextChoices(looking, { spelling: ADDRESS_LIKE, leftOut: named }, fuel);
  return complete ? texts.map((text) => atoms.map((atom) => atom.judge(text))) : null;
};

/** Returns unnamed addresses, in some encoding or in one that is too long: each network with each combination of outcomes of its texts. */
const unnamed = (
  atoms: readonly Atom[],
  { isLong, length }: { readonly isLong: boolean; readonly length: number },
  fuel: Fuel,
): FoundValue[] => {
  const named = new Set(listNamedTexts(atoms));
  const cells = listAddressCandidates(atoms.filter(isNetwork).map(({ condition }) => condition));
  const shown = cells.map((ip) => (isLong ? [longAddress(ip, length)] : listAddressSpellings(ip, named)));
  fuel.left -= shown.flat().length * atoms.length;
  if (fuel.left < 0) return [];
  const known = shown.map((texts) => texts.map((text) => judged(atoms, text, isLong)));
  if (!atoms.some(looksIntoTexts)) return known.flat();
  const ways = listWays(atoms, isLong, fuel);
  const isMuch = ways === null || ways.length * cells.length * (atoms.length + 10) > PRODUCT_MAX;
  const tried = isMuch ? [null] : ways;
  fuel.left -= Math.ceil((tried.length * cells.length * atoms.length) / KEPT_PER_STEP);
  if (fuel.left < 0) return [];
  const open = known.flatMap(([first]) =>
    tried.map((way): FoundValue => {
      const outcomes = atoms.map((atom, place) => {
        const own = first?.outcomes[place] ?? OPEN;
        if (!looksIntoTexts(atom) || (isLong && isPattern(atom))) return own;
        return way === null ? OPEN : (way[place] ?? OPEN);
      });
      return { outcomes, value: undefined, real: false, tooLong: isLong };
    }),
  );
  return [...known.flat(), ...open];
};

/** Returns texts that are addresses, in addition to those named in full; none if no network is compared. */
export const listAddressTexts = (atoms: readonly Atom[], length: number, fuel: Fuel): FoundValue[] => {
  if (!atoms.some(isNetwork)) return [];
  const short = unnamed(atoms, { isLong: false, length }, fuel);
  return atoms.some(isPattern) ? [...short, ...unnamed(atoms, { isLong: true, length }, fuel)] : short;
};

const AFFIXES = ['-', 'x', '.', '!', '0'];

/** Replaces texts that happen to be addresses: by another text with the same outcomes, or else marks them as unreal. */
export const besideAddresses = (atoms: readonly Atom[], found: readonly FoundValue[]): FoundValue[] => {
  if (!atoms.some(isNetwork)) return [];
  const named = new Set(listNamedTexts(atoms));
  return found.flatMap(({ value, outcomes, tooLong }) => {
    if (typeof value !== 'string' || named.has(value) || parseAddress(value) === null) return [];
    const wanted = outcomes.map((outcome, place) => (atoms[place] !== undefined && isNetwork(atoms[place]) ? 1 : outcome));
    const other = AFFIXES.flatMap((affix) => [`${value}${affix}`, `${affix}${value}`])
      .filter((text) => !named.has(text))
      .map((text) => judged(atoms, text, tooLong))
      .find((one) => one.outcomes.join() === wanted.join());
    return [other ?? { outcomes: wanted, value: undefined, real: false, tooLong }];
  });
};
