import { PRINCIPAL_TYPES } from '@svc/contract/tables/vocabulary.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { Atom } from '../formula/formula.ts';
import { listTextChoices, looksIntoTexts } from '../formula/text-choices.ts';
import { type Choice, OPEN } from './choice.ts';
import { contractSpelling } from './field-spellings.ts';
import type { ScopeBounds } from './place.ts';

/** The cost of a choice in addition to its outcomes, and how much of it one step of the budget pays for. */
const VALUES = 50;
const JUDGED_PER_STEP = 10;

/**
 * Returns the choices for the requester. An agent that requests for itself is the acting agent; a person or a key has an identifier of its
 * own.
 */
export const listAskerChoices = (atoms: readonly Atom[], bounds: ScopeBounds, fuel: Fuel): Choice[] => {
  const on = (...names: string[]): Atom[] => atoms.filter(({ field }) => names.includes(field.name));
  const spelling = contractSpelling('agent.id');
  const agentsFor = (asked: readonly Atom[]): { texts: readonly string[]; complete: boolean } =>
    bounds.only === undefined
      ? listTextChoices(asked, { spelling, leftOut: bounds.not ?? [] }, fuel)
      : { texts: [bounds.only], complete: true };
  const selves = agentsFor(on('agent.id', 'principal.id'));
  const agents = agentsFor(on('agent.id'));
  const others = listTextChoices(on('principal.id'), {}, fuel);
  const choice = (type: string, agent: string, principal: string, isOpen = false): Choice => {
    const values: Record<string, string> = { 'principal.type': type, 'agent.id': agent, 'principal.id': principal };
    const outcomes = atoms.map((atom) => (isOpen && looksIntoTexts(atom) ? OPEN : atom.judge(values[atom.field.name])));
    return { outcomes, values: isOpen ? null : values, tooLong: false, mark: '' };
  };
  const open = () => PRINCIPAL_TYPES.map((type) => choice(type, 'text', 'text', true));
  // All pairs are the product of both; a part that cannot be examined completely is not examined at all.
  fuel.left -= Math.ceil((agents.texts.length * others.texts.length * PRINCIPAL_TYPES.length * (atoms.length + VALUES)) / JUDGED_PER_STEP);
  if (fuel.left < 0) return open();
  const isComplete = selves.complete && agents.complete && others.complete;
  return [
    ...selves.texts.map((id) => choice('AGENT', id, id)),
    ...PRINCIPAL_TYPES.filter((type) => type !== 'AGENT').flatMap((type) =>
      agents.texts.flatMap((agent) => others.texts.map((principal) => choice(type, agent, principal))),
    ),
    ...(isComplete ? [] : open()),
  ];
};
