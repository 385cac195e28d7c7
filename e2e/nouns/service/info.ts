import type { NounTests } from '../noun-tests.ts';

export const infoTests = {
  words: { guideName: 'webhooks' },
} as const satisfies NounTests;
