import type { Topic } from './topic.ts';

export const PEOPLE_TOPICS: readonly Topic[] = [
  {
    about: 'What API keys may do, and which requests need a step-up',
    files:
      '`packages/contract/src/automation.ts`, enforced by `packages/http/src/admission/member-refusal.ts` (members of bodies) and `packages/domain/src/people/members/grant.ts` (grants); `packages/contract/src/conditional-step-ups.ts`',
    decisions: ['0146', '0147'],
  },
  {
    about: 'Organizations in which a proof or a second factor counts',
    files:
      '`packages/contract/src/tables/proofs.ts`, `packages/domain/src/people/second-factors/vouching-organization.ts`, `packages/postgres/src/people/second-factors/counts-in.ts`; guesses: `packages/operations/src/people/auth/guesses/guess-of-vouched.ts`',
    decisions: ['0144'],
  },
  {
    about: 'Agent sign-in: assertion, checks, nonce, token',
    files:
      '`apps/gateway/src/agents/identity/sign-in/exchange-assertion.ts`, `packages/domain/src/agents/identity/check-assertion.ts`, `packages/keyring/src/tokens/verify-assertion.ts`; nonces: `packages/postgres/src/recorder/begin-sessions.ts`; reasons of refusals: `apps/gateway/src/agents/identity/kept/sign-in-outcomes.ts`',
    decisions: ['0032'],
  },
  {
    about: 'Bulk changes and expiry of agents',
    files:
      '`packages/operations/src/agents/fleet/` (`bulk-change-agents.ts`), `packages/postgres/src/agents/fleet/`, `apps/control-plane/src/agents/fleet/`; `packages/domain/src/agents/agents/status-at.ts`',
    decisions: ['0082', '0109'],
  },
  {
    about: 'Delegation rules: narrower than, intersection, chain check, effective authority',
    files:
      '`packages/domain/src/agents/delegations/`: `attenuation.ts`, `meet.ts`, `walk-chain.ts`, `chain-standing.ts`, `request-fault.ts`, `effective-authority.ts`; loaded by `packages/postgres/src/governance/read-chains.ts`; stage `packages/enforcement/src/stages/07-authority.ts`',
    decisions: ['0010', '0011', '0027', '0127'],
  },
  {
    about: 'Creating, reducing and revoking delegations',
    files:
      '`packages/operations/src/agents/delegations/`; tree locks: `packages/postgres/src/agents/delegations/`; plans: `packages/domain/src/agents/delegations/plan-delegation.ts`, `packages/domain/src/agents/delegations/chains-to-narrow.ts`',
    decisions: ['0011', '0118'],
  },
  {
    about: 'Counted limits and ceilings',
    files:
      '`packages/enforcement/src/facts/claims.ts`, `packages/postgres/src/recorder/record-claims.ts`, function `svc_take_claims` (`packages/postgres/migrations/0008_counters.sql`, changed by later ones)',
    decisions: ['0012', '0122'],
  },
  {
    about: 'Which role or permission a person may grant',
    files: '`packages/domain/src/people/members/grant.ts`',
    decisions: ['0055'],
  },
  {
    about: 'Account takeover when an address is verified; guess limits',
    files: '`packages/operations/src/people/members/claim-account.ts`, `packages/operations/src/people/auth/guesses/`',
    decisions: ['0059'],
  },
  {
    about: 'Known browsers, so that an attacker cannot lock a user out',
    files:
      '`packages/keyring/src/tokens/device-token.ts`, `packages/operations/src/people/auth/guesses/known-devices.ts`, `apps/control-plane/src/people/auth/sign-in/known-browser.ts`',
    decisions: ['0059'],
  },
  {
    about: 'Sessions of people: opened, ended, stored in a browser cookie',
    files:
      '`packages/operations/src/people/auth/open-session.ts`, `packages/postgres/src/people/auth/session-end.ts`, `packages/http/src/browser/`',
    decisions: ['0054'],
  },
  {
    about: 'Constant response times against account enumeration',
    files: '`apps/control-plane/src/people/even-time/`',
    decisions: ['0060'],
  },
  {
    about: 'Single sign-on (OpenID Connect, SAML) and SCIM',
    files:
      '`apps/control-plane/src/people/sso/` (`oidc/`, `saml/`), `apps/control-plane/src/people/scim/`; rules: `packages/domain/src/people/sso/`, `packages/domain/src/people/scim/`',
    decisions: ['0144', '0058', '0124', '0148'],
  },
  {
    about: 'Passwords, TOTP, passkeys, tokens, JWS: the cryptography',
    files:
      '`packages/keyring/src/`: `codes/`, `factors/` (`totp.ts`), `passwords/` (`guessable-password.ts`), `public-keys/`, `tokens/` (`compact-jws.ts`), `bytes/` (digests, constant-time comparison)',
    decisions: ['0052', '0144'],
  },
  {
    about: 'Sealed secrets: envelope encryption, bound to their row',
    files: '`packages/keyring/src/sealed/` (`envelope.ts`, one file per kind of secret)',
    decisions: ['0106'],
  },
  { about: 'Canonical JSON', files: '`packages/domain/src/events/canonical-json.ts`' },
  {
    about: 'Mail: outbox, templates, sending',
    files:
      '`packages/operations/src/people/mail/post-mail.ts`, `packages/postgres/src/people/mail/enqueue-mail.ts`, `apps/worker/src/mail/`, `packages/mail/src/templates/`, `packages/mail/src/transports/`',
    decisions: ['0051', '0121'],
  },
];
