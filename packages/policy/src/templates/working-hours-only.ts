// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const workingHoursOnly: PolicyTemplate = {
  id: 'working-hours-only',
  name: 'Working hours only',
  description:
    'Outside working hours and on weekends a person has to agree. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  parameters: [
    { name: 'hours', sentence: 'Working hours, from-to.', pointers: ['/rules/0/when/not/value'] },
    { name: 'days', sentence: 'Days on which nobody works.', pointers: ['/rules/1/when/value'] },
  ],
  rules: [
    {
      id: 'after-hours',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { not: { field: 'time.clock', op: 'within_hours', value: '08:00-18:00' } },
      reason: 'Outside 08:00 to 18:00 a person has to agree.',
    },
    {
      id: 'weekend',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { field: 'time.weekday', op: 'on_weekdays', value: ['SAT', 'SUN'] },
      reason: 'On weekends a person has to agree.',
    },
  ],
  tests: [
    {
      name: 'early in the morning',
      given: { 'time.clock': '07:59', 'time.weekday': 'MON' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'after-hours' },
    },
    {
      name: 'in the evening',
      given: { 'time.clock': '18:00', 'time.weekday': 'MON' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'after-hours' },
    },
    { name: 'on Saturday', given: { 'time.clock': '12:00', 'time.weekday': 'SAT' }, then: { effect: 'REQUIRE_APPROVAL', rule: 'weekend' } },
    { name: 'working hours are not meant', given: { 'time.clock': '12:00', 'time.weekday': 'MON' }, then: { effect: 'BLOCK', rule: null } },
  ],
};
