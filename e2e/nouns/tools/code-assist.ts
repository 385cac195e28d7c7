import { CODE_ASSIST_MODEL, CODE_ASSIST_SOURCE } from '@svc/testing/peers/code-assist-example.ts';
import type { NounTests } from '../noun-tests.ts';

const body = {
  model: CODE_ASSIST_MODEL,
  language: 'typescript',
  file: 'refund.ts',
  source: CODE_ASSIST_SOURCE,
  tools: [{ key: 'refund.create', line: 3, reason: 'Send the amount.' }],
};

export const codeAssistTests = {
  scopes: { code_assist: null },
  bodies: () => ({ rewriteGuardCalls: body }),
  recipes: {
    rewriteGuardCalls: async ({ send }) => {
      const answer = await send('POST', '/v1/developer/code-assist/rewrite', body);
      return [{ answer, events: [['code_assist.requested', 'code_assist', answer.json.proposal_id]] }];
    },
  },
} as const satisfies NounTests;
