import type { Fuel } from '@svc/solver/fuel.ts';
import type { Atom } from '../formula/formula.ts';
import { listCandidates } from '../formula/list-candidates.ts';
import { listNumberCandidates } from '../formula/number-candidates.ts';
import { listTextCandidates } from '../formula/text-candidates.ts';
import { listTextChoices, looksIntoTexts } from '../formula/text-choices.ts';
import { besideAddresses, listAddressTexts } from './address-texts.ts';
import type { Choice } from './choice.ts';
import { type FoundValue, judged, unforeseen } from './found.ts';

/** Longer than a text that is searched for a pattern. */
const LONG = 8200;

const getConditions = (atoms: readonly Atom[]) => atoms.map(({ condition }) => condition);

const isPattern = ({ condition }: Atom): boolean => condition.op === 'matches';

/** Returns texts that are too long for patterns; other conditions still search them. */
const longTexts = (atoms: readonly Atom[]): FoundValue[] => {
  if (!atoms.some(isPattern)) return [];
  const candidates = listTextCandidates(getConditions(atoms));
  if (candidates === null) return [unforeseen(atoms, 'x'.repeat(LONG), (atom) => looksIntoTexts(atom) && !isPattern(atom), true)];
  const [apart = 'x'] = candidates.made;
  return candidates.made.map((text) => judged(atoms, text.replace(apart, apart.repeat(LONG)), true));
};

const listValues = (atoms: readonly Atom[]): FoundValue[] => {
  const lists = listCandidates(getConditions(atoms));
  if (lists !== null) return lists.map((list) => judged(atoms, list));
  return [unforeseen(atoms, [], ({ condition }) => condition.op === 'contains' || condition.op === 'not_contains')];
};

const plainTexts = (atoms: readonly Atom[], fuel: Fuel): FoundValue[] => {
  const { texts, complete } = listTextChoices(atoms, {}, fuel);
  const known = texts.map((text) => judged(atoms, text));
  return complete ? known : [...known, unforeseen(atoms, 'text', looksIntoTexts)];
};

/** Returns choices for any JSON in the parameters, by the outcomes of conditions on one position. `null` counts as missing. */
export const listJsonChoices = (name: string, atoms: readonly Atom[], fuel: Fuel): Choice[] => {
  const plain = [undefined, ...listNumberCandidates(getConditions(atoms)), true, false, {}].map((value) => judged(atoms, value));
  const texts = [...plainTexts(atoms, fuel), ...longTexts(atoms)];
  return [...plain, ...texts, ...besideAddresses(atoms, texts), ...listAddressTexts(atoms, LONG, fuel), ...listValues(atoms)].map(
    ({ outcomes, value, real, tooLong }) => ({ outcomes, values: real ? { [name]: value } : null, tooLong, mark: getKind(value, real) }),
  );
};

/** Returns what a longer path finds on its way: an object may have more members, nothing else does. */
const getKind = (value: unknown, real: boolean): string => {
  if (value === undefined && real) return 'missing';
  return typeof value === 'object' ? (Array.isArray(value) ? 'list' : 'object') : 'leaf';
};
