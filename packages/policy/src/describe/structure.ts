import { RULE_ID_PATTERN } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { WITH_STAR_AT_END } from './condition-schema.ts';
import { GIVEN_PATH_PATTERN } from './given-schema.ts';

const text = (lengthMax: number, required: boolean, sentence: string) => ({
  type: 'text',
  required,
  min_length: required ? 1 : 0,
  max_length: lengthMax,
  /** With something to read in it, not blanks alone. */
  not_blank: required,
  sentence,
});

const list = (of: string, min: number, max: number, required: boolean, sentence: string) => ({
  type: 'list',
  of,
  min,
  max,
  required,
  sentence,
});

/** Which members the parts of a version have. No part has any other member. */
export const structure = {
  version: {
    rules: list('rule', 1, POLICY_LIMITS.rules_max, true, 'Ids of rules are unique.'),
    tests: list('test', 0, POLICY_LIMITS.tests_max, false, 'Names of tests are unique; an activation needs at least one.'),
  },
  rule: {
    id: {
      type: 'text',
      required: true,
      pattern: RULE_ID_PATTERN,
      unique: true,
      sentence: 'Names the rule in tests, traces and differences.',
    },
    description: text(POLICY_LIMITS.description_length_max, false, 'For those who maintain the rule.'),
    effect: { type: 'effect', required: true, sentence: 'One of the effects.' },
    when: { type: 'condition', required: false, may_be_empty: true, sentence: 'Left out or empty, the rule matches every request.' },
    if_missing: {
      type: 'word',
      required: false,
      words: ['match'],
      sentence: 'The rule matches too when what it asks for is not known; only for effects that may.',
    },
    reason: text(POLICY_LIMITS.reason_length_max, true, 'Told to the people concerned.'),
    approval: { type: 'demand', required: false, sentence: 'Of an effect whose demand it is.' },
    limit: { type: 'demand', required: false, sentence: 'Of an effect whose demand it is.' },
    mask: { type: 'demand', required: false, sentence: 'Of an effect whose demand it is.' },
  },
  condition: {
    field: { type: 'field', required: true, sentence: 'One of the fields, or a member of a family.' },
    op: { type: 'operator', required: true, sentence: 'One of the operators that the field is served with.' },
    value: { type: 'value', required: false, sentence: 'As the operator says; required unless that is nothing.' },
    quantifier: { type: 'word', required: false, words: ['any', 'all'], sentence: 'Only with a star in the path of the field.' },
  },
  any_element: {
    of: {
      type: 'list_path',
      required: true,
      pattern: WITH_STAR_AT_END,
      sentence: 'Path of a list in the parameters, with a star for its elements.',
    },
    meets: {
      type: 'condition',
      required: true,
      sentence: 'What one element meets as a whole; its fields begin with the path in "of", and no other such group is in it.',
    },
  },
  test: {
    name: { ...text(POLICY_LIMITS.test_name_length_max, true, 'Says what is shown.'), unique: true },
    given: { type: 'given', required: true, sentence: 'What is known of the request.' },
    then: { type: 'expectation', required: true, sentence: 'What must come out.' },
  },
  expectation: {
    effect: { type: 'effect', required: true, sentence: 'The effect that decides.' },
    rule: {
      type: 'rule_id',
      required: false,
      nullable_with_effect: 'BLOCK',
      sentence: 'The rule that decides, by its id; null where none does, which is BLOCK.',
    },
    matches: list(
      'rule_id',
      1,
      POLICY_LIMITS.rules_max,
      false,
      'Rules that match, whichever decides: what shows a mask or a limit by itself.',
    ),
  },
};

/** How a test says what is known. */
export const givenForm = {
  sentence:
    'Fields by their dotted names, nested by the parts of these names, or both; a field that is not there is not known. A list of texts is given whole. Parameters are given as one object, or by dotted names without stars and positions.',
  nested: true,
  whole: ['parameters'],
  /** Text after the name of a family that is a path. */
  path_pattern: GIVEN_PATH_PATTERN,
};

/** What an editor leaves to the service, which tells each fault with its place. Everything else can be checked beforehand. */
export const leftToTheService = [
  { name: 'pattern', sentence: 'Whether a pattern is one in the syntax of RE2, and how much work it and all others together are.' },
  { name: 'network', sentence: 'Whether a text that is spelled like a network is one, with no bit set behind its length.' },
  { name: 'address', sentence: 'Whether a text that is spelled like an address is one.' },
  {
    name: 'host',
    sentence: 'Whether a text is a host alone, or a piece of one; letters beyond ASCII, case and odd spellings of addresses are folded.',
  },
  { name: 'day', sentence: 'Whether a text that is spelled like a day is in the calendar.' },
  { name: 'hours', sentence: 'Whether a span of hours has a length.' },
  {
    name: 'escalation',
    sentence: 'Whether another role is asked before the request runs out, and is another one.',
  },
  { name: 'storable', sentence: 'Whether texts hold whole characters and no U+0000, and how deep the values of a test nest.' },
];
