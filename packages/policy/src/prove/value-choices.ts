import type { Fuel } from '@svc/solver/fuel.ts';
import type { Atom } from '../formula/formula.ts';
import { listCandidates } from '../formula/list-candidates.ts';
import { numberCandidates } from '../formula/number-candidates.ts';
import { textCandidates } from '../formula/text-candidates.ts';
import { looksIntoTexts, textChoices } from '../formula/text-choices.ts';
import { addressTexts, besideAddresses } from './address-texts.ts';
import type { Choice } from './choice.ts';
import { type Found, judged, unforeseen } from './found.ts';

/** Longer than a text that is searched for a pattern. */
const LONG = 8200;

const conditionsOf = (atoms: readonly Atom[]) => atoms.map(({ condition }) => condition);

const isPattern = ({ condition }: Atom): boolean => condition.op === 'matches';

/** Returns texts that are too long for patterns; other conditions still search them. */
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

/** Returns choices for any JSON in the parameters, by the outcomes of conditions on one position. `null` counts as missing. */
export const jsonChoices = (name: string, atoms: readonly Atom[], fuel: Fuel): Choice[] => {
  const plain = [undefined, ...numberCandidates(conditionsOf(atoms)), true, false, {}].map((value) => judged(atoms, value));
  const texts = [...plainTexts(atoms, fuel), ...longTexts(atoms)];
  return [...plain, ...texts, ...besideAddresses(atoms, texts), ...addressTexts(atoms, LONG, fuel), ...listValues(atoms)].map(
    ({ outcomes, value, real, tooLong }) => ({ outcomes, values: real ? { [name]: value } : null, tooLong, mark: kindOf(value, real) }),
  );
};

/** Returns what a longer path finds on its way: an object may have more members, nothing else does. */
const kindOf = (value: unknown, real: boolean): string => {
  if (value === undefined && real) return 'missing';
  return typeof value === 'object' ? (Array.isArray(value) ? 'list' : 'object') : 'leaf';
};
