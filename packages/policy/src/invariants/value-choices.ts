import { addressCandidates } from '../analyse/address-candidates.ts';
import type { Fuel } from '../analyse/cells.ts';
import type { Atom } from '../analyse/formula.ts';
import { listCandidates } from '../analyse/list-candidates.ts';
import { numberCandidates } from '../analyse/number-candidates.ts';
import { textCandidates } from '../analyse/text-candidates.ts';
import { type Choice, OPEN } from './choice.ts';
import { looksIntoTexts, textChoices } from './text-choices.ts';

/** More than a pattern is searched in. */
const LONG = 8200;
/** Every text that could be read as an address, and others. */
const ADDRESS_LIKE = '^[0-9.]+$|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%.*)?$';

const conditionsOf = (atoms: readonly Atom[]) => atoms.map(({ condition }) => condition);

type Found = { readonly outcomes: readonly number[]; readonly value: unknown; readonly real: boolean; readonly tooLong: boolean };

const judged = (atoms: readonly Atom[], value: unknown, tooLong = false): Found => ({
  outcomes: atoms.map((atom) => atom.judge(value)),
  value,
  real: true,
  tooLong,
});
const unforeseen = (atoms: readonly Atom[], value: unknown, isOpen: (atom: Atom) => boolean, tooLong = false): Found => ({
  outcomes: atoms.map((atom) => (isOpen(atom) ? OPEN : atom.judge(value))),
  value: undefined,
  real: false,
  tooLong,
});

const isNetwork = ({ condition }: Atom): boolean => condition.op === 'cidr';
const isPattern = ({ condition }: Atom): boolean => condition.op === 'matches';

/** Addresses are told apart by networks; where the texts of addresses are told apart too, what the networks say of each stays open. */
const addressTexts = (atoms: readonly Atom[], fuel: Fuel): Found[] => {
  if (!atoms.some(isNetwork)) return [];
  const known = addressCandidates(conditionsOf(atoms)).map((text) => judged(atoms, text));
  const { texts, complete } = textChoices(atoms.filter(looksIntoTexts), { spelling: ADDRESS_LIKE }, fuel);
  if (complete && texts.length <= 1) return known;
  const open = complete
    ? texts.map((text) => unforeseen(atoms, text, isNetwork))
    : [unforeseen(atoms, 'text', (atom) => isNetwork(atom) || looksIntoTexts(atom))];
  return [...known, ...open];
};

/** Texts that are too long for patterns; other conditions look into them all the same. */
const longTexts = (atoms: readonly Atom[]): Found[] => {
  if (!atoms.some(isPattern)) return [];
  const candidates = textCandidates(conditionsOf(atoms));
  if (candidates === null) return [unforeseen(atoms, 'x'.repeat(LONG), (atom) => looksIntoTexts(atom) && !isPattern(atom), true)];
  const [apart = 'x'] = candidates.made;
  return candidates.made.map((text) => judged(atoms, text.replace(apart, apart.repeat(LONG)), true));
};

const listValues = (atoms: readonly Atom[]): Found[] => {
  const lists = listCandidates(conditionsOf(atoms));
  if (lists !== null) return lists.map((list) => judged(atoms, list));
  return [unforeseen(atoms, [], ({ condition }) => condition.op === 'contains' || condition.op === 'not_contains')];
};

const plainTexts = (atoms: readonly Atom[], fuel: Fuel): Found[] => {
  const { texts, complete } = textChoices(atoms, {}, fuel);
  const known = texts.map((text) => judged(atoms, text));
  return complete ? known : [...known, unforeseen(atoms, 'text', looksIntoTexts)];
};

/** Whatever JSON can stand in the parameters, by what conditions on one place of them say of it. `null` counts as nothing. */
export const jsonChoices = (name: string, atoms: readonly Atom[], fuel: Fuel): Choice[] => {
  const plain = [undefined, ...numberCandidates(conditionsOf(atoms)), true, false, {}].map((value) => judged(atoms, value));
  return [...plain, ...plainTexts(atoms, fuel), ...addressTexts(atoms, fuel), ...longTexts(atoms), ...listValues(atoms)].map(
    ({ outcomes, value, real, tooLong }) => ({ outcomes, values: real ? { [name]: value } : null, tooLong, mark: kindOf(value, real) }),
  );
};

/** What a longer path finds on its way: an object may hold more, nothing else does. */
const kindOf = (value: unknown, real: boolean): string => {
  if (value === undefined && real) return 'missing';
  return typeof value === 'object' ? (Array.isArray(value) ? 'list' : 'object') : 'leaf';
};
