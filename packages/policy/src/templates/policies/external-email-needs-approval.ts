import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { capability, domain } from '../form/template-values.ts';

/** Returns the condition that a parameter is one internal address, or a list of such. */
const inside = (name: string) => ({
  any: [
    { field: `parameters.${name}`, op: 'email_domain_in' as const, value: ['example.com'] },
    { field: `parameters.${name}.*`, op: 'email_domain_in' as const, value: ['example.com'], quantifier: 'all' as const },
  ],
});

const copied = (name: string) => ({ all: [{ field: `parameters.${name}`, op: 'exists' as const }, { not: inside(name) }] });

/** Other names under which tools take recipients, at any depth: "to", "cc" and "bcc" in another case, and names for all of them. */
const OTHER_NAMES =
  '^(T[Oo]|tO|C[Cc]|cC|B[Cc][Cc]|bC[Cc]|bcC)$|(?i)^(recipients?|envelope|rcpt([_-]?to)?|(e?mail[_-]?)?headers?|resent-(to|cc|bcc))$';
/** A header line that adds recipients, after a line break. */
const ADDED_HEADER = '(?i)[\\r\\n][ \\t]*(to|cc|bcc|resent-to|resent-cc|resent-bcc)[ \\t]*:';

export const externalEmailNeedsApproval: PolicyTemplate = {
  id: 'external-email-needs-approval',
  name: 'E-mail to external recipients requires approval',
  description:
    'Allows e-mail to your own domain, and requires approval if any recipient in "to", "cc" or "bcc" is external. Each is one address or a list of addresses, without display names. Requires approval too for members with other usual names of recipients or headers at any depth, such as "Bcc", "recipients" or "headers", for texts that are such a name, and for a text or name with a line that begins with "To:", "Cc:" or "Bcc:". Other names are not checked, so the tool must not accept recipients in them.',
  parameters: [
    parameter({
      name: 'domain',
      sentence: 'Your own e-mail domain.',
      kind: domain,
      default: 'example.com',
      places: {
        '/rules/0/when/all/1/any/0/not/any/0/value': (value) => [value],
        '/rules/0/when/all/1/any/0/not/any/1/value': (value) => [value],
        '/rules/0/when/all/1/any/1/all/1/not/any/0/value': (value) => [value],
        '/rules/0/when/all/1/any/1/all/1/not/any/1/value': (value) => [value],
        '/rules/0/when/all/1/any/2/all/1/not/any/0/value': (value) => [value],
        '/rules/0/when/all/1/any/2/all/1/not/any/1/value': (value) => [value],
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
              { not: inside('to') },
              copied('cc'),
              copied('bcc'),
              { field: 'parameters.***', op: 'matches', value: OTHER_NAMES },
              { field: 'parameters.***', op: 'matches', value: ADDED_HEADER },
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
      name: 'one recipient as a text',
      given: { capability: 'email.send', parameters: { to: 'a@example.com' } },
      then: { effect: 'ALLOW', rule: 'inside' },
    },
  ],
};
