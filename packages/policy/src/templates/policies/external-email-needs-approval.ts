import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { capability, domain } from '../form/template-values.ts';

const addressIn = (domain: string): string => `^[A-Za-z0-9._+-]+@${domain.replaceAll('.', '\\.')}$`;

export const externalEmailNeedsApproval: PolicyTemplate = {
  id: 'external-email-needs-approval',
  name: 'E-mail to external recipients requires approval',
  description:
    'Allows e-mail to your own domain, and requires approval if any recipient in "to", "cc" or "bcc" is external. For tools whose "to", "cc" and "bcc" are lists. Recipients in other parameters are not checked, so the tool must not accept any.',
  parameters: [
    parameter({
      name: 'domain',
      sentence: 'Your own e-mail domain.',
      kind: domain,
      default: 'example.com',
      places: {
        '/rules/0/when/all/1/any/0/not/value': addressIn,
        '/rules/0/when/all/1/any/1/all/1/not/value': addressIn,
        '/rules/0/when/all/1/any/2/all/1/not/value': addressIn,
        '/rules/0/reason': (value) => `E-mail to recipients outside ${value} requires approval.`,
        '/rules/1/reason': (value) => `E-mail within ${value} is allowed.`,
        '/tests/0/given/parameters/to': (value) => [`a@${value}`, `b@${value}`],
        '/tests/1/given/parameters/to': (value) => [`a@${value}`, `b@not.${value}`],
        '/tests/2/given/parameters/to': (value) => [`a@${value}`],
        '/tests/2/given/parameters/bcc': (value) => [`b@not.${value}`],
        '/tests/3/given/parameters/to': (value) => [`x@not.${value},a@${value}`],
        '/tests/4/given/parameters/to': (value) => [`a@not${value}`],
        '/tests/5/given/parameters/to': (value) => `a@${value}`,
      },
    }),
    parameter({
      name: 'capability',
      sentence: 'The capability that sending e-mail requires.',
      kind: capability,
      default: 'email.send',
      places: Object.fromEntries(
        ['/rules/0/when/all/0/value', '/rules/1/when/value', ...[0, 1, 2, 3, 4, 5].map((test) => `/tests/${test}/given/capability`)].map(
          (pointer) => [pointer, (value: string) => value],
        ),
      ),
    }),
  ],
  rules: [
    {
      id: 'outside',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'capability', op: 'eq', value: 'email.send' },
          {
            any: [
              { not: { field: 'parameters.to.*', op: 'matches', value: '^[A-Za-z0-9._+-]+@example\\.com$', quantifier: 'all' } },
              {
                all: [
                  { field: 'parameters.cc', op: 'exists' },
                  { not: { field: 'parameters.cc.*', op: 'matches', value: '^[A-Za-z0-9._+-]+@example\\.com$', quantifier: 'all' } },
                ],
              },
              {
                all: [
                  { field: 'parameters.bcc', op: 'exists' },
                  { not: { field: 'parameters.bcc.*', op: 'matches', value: '^[A-Za-z0-9._+-]+@example\\.com$', quantifier: 'all' } },
                ],
              },
            ],
          },
        ],
      },
      reason: 'E-mail to recipients outside example.com requires approval.',
    },
    {
      id: 'inside',
      effect: 'ALLOW',
      when: { field: 'capability', op: 'eq', value: 'email.send' },
      reason: 'E-mail within example.com is allowed.',
    },
  ],
  tests: [
    {
      name: 'inside',
      given: { capability: 'email.send', parameters: { to: ['a@example.com', 'b@example.com'], cc: [] } },
      then: { effect: 'ALLOW', rule: 'inside' },
    },
    {
      name: 'one external recipient',
      given: { capability: 'email.send', parameters: { to: ['a@example.com', 'b@not.example.com'] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'outside' },
    },
    {
      name: 'an external blind copy',
      given: { capability: 'email.send', parameters: { to: ['a@example.com'], bcc: ['b@not.example.com'] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'outside' },
    },
    {
      name: 'two addresses in one text',
      given: { capability: 'email.send', parameters: { to: ['x@not.example.com,a@example.com'] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'outside' },
    },
    {
      name: 'a similar domain',
      given: { capability: 'email.send', parameters: { to: ['a@notexample.com'] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'outside' },
    },
    {
      name: 'recipients in another form',
      given: { capability: 'email.send', parameters: { to: 'a@example.com' } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'outside' },
    },
  ],
};
