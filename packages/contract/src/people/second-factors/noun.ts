import type { NounFacts } from '../../tables/noun-facts.ts';

export const secondFactorNouns = {
  second_factor: {
    idPrefix: 'fac',
    words: { factorId: 'second factor' },
  },
  device_approval: {
    idPrefix: 'dap',
    table: 'device_approvals',
    parameters: { deviceApprovalId: { noun: 'device approval' } },
  },
} as const satisfies Record<string, NounFacts>;
