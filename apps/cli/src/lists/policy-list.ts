import type { HandCommand } from '../session/hand-command.ts';

const FOLDER = [['[folder]', 'folder of policy files; by default that of svc.json, or policies']] as const;
const JUNIT = ['--junit <file>', 'write tests and proofs as JUnit XML'] as const;
const DAYS = ['--days <days>', 'days of recorded actions to replay; 0 for none'] as const;

const PRUNE = ['--prune', 'suspend active policies that have no file; nothing is deleted'] as const;

/** Policies as files. */
export const POLICY_COMMANDS: readonly HandCommand[] = [
  {
    words: ['policies', 'pull'],
    summary: 'Write every policy into a file of a folder.',
    args: FOLDER,
    examples: ['svc policies pull', 'svc policies pull policies'],
    load: async () => (await import('../policies/policy-commands.ts')).pullPolicies,
  },
  {
    words: ['policies', 'plan'],
    summary: 'Show what applying a folder would change: rules, tests, proofs, and actions that would be decided otherwise.',
    args: FOLDER,
    options: [
      ['--detailed-exitcode', 'exit with 10 if there are changes'],
      JUNIT,
      DAYS,
      PRUNE,
      ['--markdown', 'for a comment on a pull request'],
      ['--out <file>', 'save the plan for apply --plan'],
    ],
    examples: ['svc policies plan --detailed-exitcode --junit results.xml', 'svc policies plan --out plan.json'],
    load: async () => (await import('../policies/policy-commands.ts')).showPlan,
  },
  {
    words: ['policies', 'apply'],
    summary: 'Save changed files as drafts and activate them. An API key saves drafts and exits with 6.',
    args: FOLDER,
    options: [
      ['--reason <text>', 'reason, which is recorded in the audit log'],
      ['--plan <file>', 'refuse if a policy or a file was changed since this plan'],
      ['--draft-only', 'save drafts and activate nothing'],
      ['--accept-warnings', 'activate rules that have no effect'],
      PRUNE,
      JUNIT,
      DAYS,
    ],
    examples: ['svc policies apply --prune --reason "Reviewed in 4711."', 'svc policies apply --plan plan.json --reason "Reviewed."'],
    load: async () => (await import('../policies/policy-commands.ts')).applyPlan,
  },
  {
    words: ['policies', 'check'],
    summary: 'Check a file or a folder: validity, warnings, tests and proofs.',
    args: [['[file]', 'file or folder']],
    options: [JUNIT, DAYS],
    examples: ['svc policies check policies/refunds.policy.json'],
    load: async () => (await import('../policies/policy-commands.ts')).checkPolicies,
  },
  {
    words: ['policies', 'test'],
    summary: 'Run the tests of a policy, a file or a folder.',
    args: [['[policy]', 'id or name of a policy, or a file or folder']],
    options: [JUNIT],
    examples: ['svc policies test policies --junit results.xml'],
    load: async () => (await import('../policies/policy-commands.ts')).testPolicies,
  },
];
