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
    reason: text(POLICY_LIMITS.reason_length_max, true, 'Shown to the affected people.'),
    approval: { type: 'demand', required: false, sentence: 'Requires the effect that the demand belongs to.' },
    limit: { type: 'demand', required: false, sentence: 'Requires the effect that the demand belongs to.' },
    mask: { type: 'demand', required: false, sentence: 'Requires the effect that the demand belongs to.' },
  },
  condition: {
    field: { type: 'field', required: true, sentence: 'One of the fields, or a member of a family.' },
    op: { type: 'operator', required: true, sentence: 'One of the operators that the field is served with.' },
    value: { type: 'value', required: false, sentence: 'Value for the operator; required unless the operator takes none.' },
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
      sentence:
        'Condition that one element must match as a whole; its fields begin with the path in "of", and it contains no other such group.',
    },
  },
  test: {
    name: { ...text(POLICY_LIMITS.test_name_length_max, true, 'Says what is shown.'), unique: true },
    given: { type: 'given', required: true, sentence: 'Known facts of the request.' },
    then: { type: 'expectation', required: true, sentence: 'Expected result.' },
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
      'All rules that match, including those that do not decide; shows a mask or a limit separately.',
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
  { name: 'pattern', sentence: 'A pattern must be valid RE2, within the total work limit of all patterns.' },
  { name: 'network', sentence: 'A text in network notation must be a valid network, without bits set after its prefix length.' },
  { name: 'address', sentence: 'A text in address notation must be a valid address.' },
  {
    name: 'host',
    sentence: 'A text must be a host or a part of one; non-ASCII letters, case and unusual address notations are normalized.',
  },
  { name: 'day', sentence: 'A text in date notation must be a valid date.' },
  { name: 'hours', sentence: 'A span of hours must not be empty.' },
  {
    name: 'escalation',
    sentence: 'The escalation role must differ, and be asked before the request expires.',
  },
  {
    name: 'storable',
    sentence: 'Texts must contain complete characters and no U+0000; the values of a test have a maximum nesting depth.',
  },
];
