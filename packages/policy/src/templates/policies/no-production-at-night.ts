import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { hours, matchBeginning, matchEnding, minuteBefore } from '../form/template-values.ts';

export const noProductionAtNight: PolicyTemplate = {
  id: 'no-production-at-night',
  name: 'No production at night',
  description:
    'Blocks all actions in production at night, in the time zone of the organization. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'hours',
      sentence: 'Night hours, from-to.',
      kind: hours,
      default: '22:00-06:00',
      places: {
        '/rules/0/when/all/1/value': (value) => value,
        '/rules/0/reason': (value) => `Actions in production are blocked between ${matchBeginning(value)} and ${matchEnding(value)}.`,
        '/tests/0/given/time.clock': matchBeginning,
        '/tests/1/given/time.clock': (value) => minuteBefore(matchEnding(value)),
        '/tests/2/given/time.clock': matchEnding,
        '/tests/3/given/time.clock': matchBeginning,
      },
    }),
  ],
  rules: [
    {
      id: 'night',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          { field: 'time.clock', op: 'within_hours', value: '22:00-06:00' },
        ],
      },
      reason: 'Actions in production are blocked between 22:00 and 06:00.',
    },
  ],
  tests: [
    {
      name: 'the night begins',
      given: { 'environment.type': 'PRODUCTION', 'time.clock': '22:00' },
      then: { effect: 'BLOCK', rule: 'night' },
    },
    {
      name: 'the night lasts to its end',
      given: { 'environment.type': 'PRODUCTION', 'time.clock': '05:59' },
      then: { effect: 'BLOCK', rule: 'night' },
    },
    {
      name: 'the day is not affected',
      given: { 'environment.type': 'PRODUCTION', 'time.clock': '06:00' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'staging is not affected',
      given: { 'environment.type': 'STAGING', 'time.clock': '22:00' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
