import type { PolicyCondition } from '@svc/contract/policies/language.ts';

/** Some of the built-in labels of confidentiality could leave with the request. */
export const CONFIDENTIAL_LEAVES: PolicyCondition = {
  any: ['personal_data', 'secret', 'internal'].map((value) => ({ field: 'session.labels_leaving', op: 'contains' as const, value })),
};
