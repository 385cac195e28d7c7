import { checkRule } from './check-rule.ts';
import { checkTest } from './check-test.ts';
import { type Any, checkMembers, newReading } from './reading.ts';

const isList = (list: unknown, { min, max }: Any): list is unknown[] => Array.isArray(list) && list.length >= min && list.length <= max;

/** Returns pointers to all faults of a version that the builder schema alone reveals. */
export const checkVersion = (schema: Any, body: unknown): string[] => {
  const reading = newReading(schema);
  const { faults } = reading;
  const { version } = schema.structure;
  if (!checkMembers(reading, body, version, '')) return faults;
  const { rules, tests = [] } = body as Any;
  const ids: unknown[] = [];
  if (!isList(rules, version.rules)) faults.push('/rules');
  if (Array.isArray(rules)) for (const [index, rule] of rules.entries()) checkRule(reading, rule, `/rules/${index}`, ids);
  if (reading.conditions > schema.limits.conditions_max) faults.push('/rules');
  const names: unknown[] = [];
  if (!isList(tests, version.tests)) faults.push('/tests');
  else for (const [index, test] of tests.entries()) checkTest(reading, test, `/tests/${index}`, names, ids);
  return faults;
};
