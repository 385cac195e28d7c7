import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { matchAnyWord, words } from '../form/template-values.ts';

export const deletesNeedApproval: PolicyTemplate = {
  id: 'deletes-need-approval',
  name: 'Deletions in production require approval',
  description:
    'In production, deletions require the approval of one person, or of two for dangerous tools. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'deleting',
      sentence: 'Words in the names of capabilities that delete.',
      kind: words,
      default: 'delete deletes deletion drop purge remove removal destroy erase wipe truncate clear prune expunge'.split(' '),
      places: {
        '/rules/0/when/all/1/value': matchAnyWord,
        '/rules/1/when/all/1/value': matchAnyWord,
        '/tests/0/given/capability': ([word]) => `db.table.${word}`,
        '/tests/1/given/capability': ([word]) => `crm.customers.${word}`,
        '/tests/3/given/capability': ([word]) => `crm.customers.${word}`,
      },
    }),
  ],
  rules: [
    {
      id: 'dangerous-deletes',
      effect: 'REQUIRE_APPROVAL',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          {
            field: 'capability',
            op: 'matches',
            value: '(^|[._-])(delete|deletes|deletion|drop|purge|remove|removal|destroy|erase|wipe|truncate|clear|prune|expunge)($|[._-])',
          },
          { field: 'tool.dangerous', op: 'is_true' },
        ],
      },
      reason: 'Deleting with a dangerous tool requires two approvals.',
      approval: { quorum: 2 },
    },
    {
      id: 'deletes',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          {
            field: 'capability',
            op: 'matches',
            value: '(^|[._-])(delete|deletes|deletion|drop|purge|remove|removal|destroy|erase|wipe|truncate|clear|prune|expunge)($|[._-])',
          },
        ],
      },
      reason: 'Deletions in production require approval.',
    },
  ],
  tests: [
    {
      name: 'a dangerous tool deletes',
      given: { 'environment.type': 'PRODUCTION', capability: 'db.table.delete', 'tool.dangerous': true },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous-deletes' },
    },
    {
      name: 'another tool deletes',
      given: { 'environment.type': 'PRODUCTION', capability: 'crm.customers.delete', 'tool.dangerous': false },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'deletes' },
    },
    {
      name: 'updates are not affected',
      given: { 'environment.type': 'PRODUCTION', capability: 'crm.customers.update' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'development is not affected',
      given: { 'environment.type': 'DEVELOPMENT', capability: 'crm.customers.delete' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
