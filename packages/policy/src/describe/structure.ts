import { RULE_ID_PATTERN } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { WITH_STAR_AT_END } from './condition-schema.ts';
import { GIVEN_PATH_PATTERN } from './given-schema.ts';

const text = (lengthMax: number, required: boolean, sentence: string) => ({
  type: 'text',
  required,
  min_length: required ? 1 : 0,
  max_length: lengthMax,
  /** Must contain a visible character. */
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

/** The members of each part of a version. No part has any other member. */
export const structure = {
  version: {
    rules: list('rule', 1, POLICY_LIMITS.rules_max, true, 'Rule ids must be unique.'),
    tests: list('test', 0, POLICY_LIMITS.tests_max, false, 'Test names must be unique; activation requires at least one test.'),
  },
  rule: {
    id: {
      type: 'text',
      required: true,
      pattern: RULE_ID_PATTERN,
      unique: true,
      sentence: 'Identifies the rule in tests, traces and diffs.',
    },
    description: text(POLICY_LIMITS.description_length_max, false, 'Note for the maintainers of the rule.'),
    effect: { type: 'effect', required: true, sentence: 'One of the effects.' },
    when: { type: 'condition', required: false, may_be_empty: true, sentence: 'If omitted or empty, the rule matches every request.' },
    if_missing: {
      type: 'word',
      required: false,
      words: ['match'],
      sentence: 'The rule also matches if the values it checks are unknown; only for effects that support this.',
    },
    reason: text(POLICY_LIMITS.reason_length_max, true, 'Shown to the people affected.'),
    approval: { type: 'demand', required: false, sentence: 'Allowed only with the effect it belongs to.' },
    limit: { type: 'demand', required: false, sentence: 'Allowed only with the effect it belongs to.' },
    mask: { type: 'demand', required: false, sentence: 'Allowed only with the effect it belongs to.' },
  },
  condition: {
    field: { type: 'field', required: true, sentence: 'One of the fields, or a member of a family.' },
    op: { type: 'operator', required: true, sentence: 'One of the operators of the field.' },
    value: { type: 'value', required: false, sentence: 'Value for the operator; required unless the operator takes none.' },
    quantifier: { type: 'word', required: false, words: ['any', 'all'], sentence: 'Only for field paths with "*".' },
  },
  any_element: {
    of: {
      type: 'list_path',
      required: true,
      pattern: WITH_STAR_AT_END,
      sentence: 'Path of a list in the parameters, with "*" for its elements.',
    },
    meets: {
      type: 'condition',
      required: true,
      sentence:
        'Condition that one element must match as a whole; its fields begin with the path in "of", and it contains no other such group.',
    },
  },
  test: {
    name: { ...text(POLICY_LIMITS.test_name_length_max, true, 'Describes the case.'), unique: true },
    given: { type: 'given', required: true, sentence: 'Known facts of the request.' },
    then: { type: 'expectation', required: true, sentence: 'Expected result.' },
  },
  expectation: {
    effect: { type: 'effect', required: true, sentence: 'Expected effect.' },
    rule: {
      type: 'rule_id',
      required: false,
      nullable_with_effect: 'BLOCK',
      sentence: 'Id of the rule that decides; null if no rule decides, which results in BLOCK.',
    },
    matches: list(
      'rule_id',
      1,
      POLICY_LIMITS.rules_max,
      false,
      'All matching rules, including those that do not decide; lists masks and limits separately.',
    ),
  },
};

/** The forms in which a test gives known values. */
export const INPUT_FORM = {
  sentence:
    'Fields by dotted name, nested by the parts of these names, or both; a missing field is unknown. Give string lists as a whole. Give parameters as one object, or by dotted names without "*" and positions.',
  nested: true,
  whole: ['parameters'],
  /** Text after the name of a family that is a path. */
  path_pattern: GIVEN_PATH_PATTERN,
};

/** Checks that an editor leaves to the service, which reports each fault with its pointer. Everything else can be checked beforehand. */
export const leftToTheService = [
  { name: 'pattern', sentence: 'A pattern must be valid RE2, within the total work limit of all patterns.' },
  { name: 'network', sentence: 'A network must be valid, without bits set after its prefix length.' },
  { name: 'address', sentence: 'An address must be valid.' },
  {
    name: 'host',
    sentence: 'A host value must be a host or a part of one; non-ASCII letters, case and unusual address notations are normalized.',
  },
  { name: 'day', sentence: 'A date must be valid.' },
  { name: 'hours', sentence: 'A time range must not be empty.' },
  {
    name: 'escalation',
    sentence: 'The escalation role must differ from the approver role, and must be asked before the request expires.',
  },
  {
    name: 'storable',
    sentence: 'Strings must be well-formed Unicode without U+0000; test values have a maximum nesting depth.',
  },
];
