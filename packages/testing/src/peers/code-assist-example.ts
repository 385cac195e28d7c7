/** A source with one guard call. */
export const CODE_ASSIST_SOURCE = [
  "import { Governance } from '@svc/sdk/governance.ts';",
  'const governance = new Governance(options);',
  "export const refund = governance.guard('refund.create', pay);",
  '',
].join('\n');

/** Response of a model that describes the request of the only call in the source. */
export const CODE_ASSIST_ANSWER = JSON.stringify({
  edits: [
    {
      key: 'refund.create',
      replacement: "governance.guard('refund.create', pay, { request: ({ amount }) => ({ parameters: {}, amount, currency: 'USD' }) })",
    },
  ],
});
export const CODE_ASSIST_MODEL = 'model-of-the-scene';
