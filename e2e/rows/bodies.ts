import type { EndpointName } from '@svc/contract/endpoints.ts';
import type { BodyContext, NounTests } from '../nouns/noun-tests.ts';
import { NOUN_TESTS } from '../nouns/nouns.ts';
import type { RowTestSetting } from './setting.ts';

const tests: readonly NounTests[] = NOUN_TESTS;
let made = 0;

/** Returns a body that the row accepts, with unique names. Throws if no noun has one for it. */
export const buildBody = (operation: string, { tenant, agent, resources }: RowTestSetting): Record<string, unknown> => {
  made += 1;
  const context: BodyContext = { made, tenant, agent, resources };
  for (const { bodies } of tests) {
    const body = bodies?.(context)[operation as EndpointName];
    if (body) return body;
  }
  throw new Error(`no body for ${operation}: add one to its noun in e2e/nouns`);
};
