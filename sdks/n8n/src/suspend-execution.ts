import { createHash } from 'node:crypto';
import type { NodeContext } from './node-context.ts';
import { noteWaiting } from './waiting-executions.ts';

/** n8n treats this time as none: the execution waits until its resume address is called. */
const NEVER = new Date('3000-01-01T00:00:00.000Z');
const APPROVAL_ID = /^[a-z]{3}_[0-9A-Z]{26}$/;
const KEY_CHARS = 16;

type Evaluating = Pick<NodeContext, 'evaluateExpression' | 'getNode'>;

const keyOfNode = (context: Evaluating): string =>
  `svc_${createHash('sha256').update(context.getNode().id).digest('hex').slice(0, KEY_CHARS)}`;

/** Returns the approval that the suspended execution waits for; undefined if it waits for none. */
export const readSuspension = (context: Evaluating): string | undefined => {
  const value = context.evaluateExpression(`{{ $execution.customData.get('${keyOfNode(context)}') }}`, 0);
  return typeof value === 'string' && APPROVAL_ID.test(value) ? value : undefined;
};

/**
 * Suspends the execution until its resume address is called. n8n keeps the approval with the execution, and has room for ten values: without it
 * the execution fails instead of waiting for nothing.
 */
export const suspendExecution = async (context: NodeContext, approvalId: string): Promise<void> => {
  if (!APPROVAL_ID.test(approvalId)) throw new TypeError('The gateway returned an unknown approval.');
  context.evaluateExpression(`{{ $execution.customData.set('${keyOfNode(context)}', '${approvalId}') }}`, 0);
  if (readSuspension(context) !== approvalId) throw new TypeError('The execution has no room for the approval that it waits for.');
  noteWaiting(approvalId, String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)));
  await context.putExecutionToWait(NEVER);
};
