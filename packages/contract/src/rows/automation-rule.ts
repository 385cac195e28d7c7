/** Who may send a member of a body: a person, or a person with a step-up. Never an API key. */
export type MemberRule = 'PERSON' | 'STEP_UP';

/**
 * Rule for calls of an operation with an API key, in addition to the permissions of its role. Automation never widens human access: no API
 * key changes who a person is, what people may do, how they sign in, or how long a key lives.
 * - `ALLOWED`: what its permissions allow.
 * - `STEP_UP`: nothing. The operation always needs a step-up, which only a person can give.
 * - an object: what its permissions allow, except for the members named in `members`, and within `limit`, a sentence for what depends on
 * more than the name of a member and is enforced by the handler. `members` are enforced before the handler, for all values;
 * `compared` leaves that to the handler, which refuses them (`memberRefusal`) only where they differ from what is stored.
 */
export type AutomationRule =
  | 'ALLOWED'
  | 'STEP_UP'
  | {
      readonly operation?: 'STEP_UP';
      readonly members?: Readonly<Record<string, MemberRule>>;
      readonly compared?: true;
      readonly limit?: string;
    };

/** Limits that several rows state. */
export const AUTOMATION_LIMITS = {
  roles: 'Assigns only roles without a permission of `isPersonal`. An invitation with another role must be confirmed by a person.',
  owners: 'Never an owner.',
  grant: 'The new key expires no later than the key that creates it, has no additional permissions, and is never extended by a key.',
  isolation: 'Not from ISOLATED: ending an isolation requires emergency:execute and a step-up.',
  loosens:
    'Not to lower a risk rating, to clear dangerous or to widen destinations, not for a dangerous or critical tool, and not if rules in force warn of it.',
  stopped: 'Not if a person made the stop that it lifts.',
  facts: 'Not to set a name, label or capability that a rule in force reads.',
  reduces: 'Not to reduce enforcement, to weaken the separation of duties or to unarchive a resource.',
} as const;
