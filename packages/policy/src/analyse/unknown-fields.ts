import type { PolicyRule, PolicyTestCase, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { listNeverKnownFields, whyNeverKnown } from '../language/never-known.ts';
import { listGivenFields } from '../language/read-given.ts';

const ofRule = (rule: PolicyRule, position: number): PolicyWarning[] => {
  const names = listNeverKnownFields(rule);
  if (names.length === 0) return [];
  const why = [...new Set(names.map(whyNeverKnown))].join(' ');
  return [
    {
      kind: 'unknown_field',
      rule_id: rule.id,
      pointer: `/rules/${position}/when`,
      message: `This rule depends on ${names.join(' and ')}, which no request has. ${why}`,
    },
  ];
};

const ofTest = (one: PolicyTestCase, position: number, readers: ReadonlyMap<string, string>): PolicyWarning[] =>
  listGivenFields(one.given, `/tests/${position}/given`).flatMap(({ name, pointer }) => {
    const rule_id = readers.get(name);
    const message = `The test "${one.name}" depends on ${name}, which no request has, so it does not predict real decisions.`;
    return rule_id === undefined ? [] : [{ kind: 'unknown_field', rule_id, pointer, message }];
  });

/** Warns of rules that read a field that no request has in this version of the service, and of tests that pass because of it. */
export const warnOfUnknownFields = ({ rules, tests }: VersionBody): PolicyWarning[] => {
  const readers = new Map<string, string>();
  for (const rule of rules) for (const name of listNeverKnownFields(rule)) if (!readers.has(name)) readers.set(name, rule.id);
  if (readers.size === 0) return [];
  return [...rules.flatMap(ofRule), ...tests.flatMap((one, position) => ofTest(one, position, readers))];
};
