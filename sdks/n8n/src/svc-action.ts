import { randomUUID } from 'node:crypto';
import { type Answer, type Asked, askForAction, collectApproval, OUTPUTS } from './ask-gateway.ts';
import { DESCRIPTION } from './describe-node.ts';
import type { Item, NodeContext } from './node-context.ts';
import { openClient } from './open-client.ts';
import { readSuspension, suspendExecution } from './suspend-execution.ts';
import { type ResumeContext, respond, type WebhookResult } from './webhook-context.ts';

const WAIT_SECONDS_MAX = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readParameters = (value: unknown): Readonly<Record<string, unknown>> => {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (!isObject(parsed)) throw new TypeError('Parameters must be a JSON object.');
  return parsed;
};

/** Returns the value of a parameter of the node. */
type Read = (name: string, fallback: unknown) => unknown;

const readerAt =
  (context: NodeContext, at: number): Read =>
  (name, fallback) =>
    context.getNodeParameter(name, at, fallback);

const readText = (read: Read, name: string): string => String(read(name, '') ?? '');

const readRequest = (read: Read): Asked => {
  const tool = readText(read, 'tool');
  if (tool === '') throw new TypeError('Tool is missing.');
  const amount = Number(read('amount', 0));
  const [currency, delegationId] = [readText(read, 'currency'), readText(read, 'delegationId')];
  return {
    tool,
    parameters: readParameters(read('parameters', {})),
    ...(amount === 0 ? {} : { amount }),
    ...(currency === '' ? {} : { currency }),
    ...(delegationId === '' ? {} : { delegationId }),
  };
};

/** The same execution sends the same key again, so that a retry makes one action. */
const readKey = (context: NodeContext, at: number): string =>
  ['n8n', context.getExecutionId() ?? randomUUID(), context.getNode().id, context.getWorkflowDataProxy(at).$runIndex, at].join('-');

const answerItem = async (context: NodeContext, at: number): Promise<Answer> => {
  const governance = openClient(await context.getCredentials('svcAgentApi'));
  const read = readerAt(context, at);
  const request = readRequest(read);
  if (readText(read, 'operation') === 'collect') return collectApproval(governance, request, readText(read, 'approvalId'));
  const seconds = Math.min(Math.max(Number(read('waitSeconds', 0)) || 0, 0), WAIT_SECONDS_MAX);
  return askForAction(governance, request, { idempotencyKey: readKey(context, at), waitMs: seconds * 1_000 });
};

/** A tool of a model has one output, which only the model reads. */
const isModelTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/** Returns true if the execution is suspended while a person decides. A suspended execution continues with one item. */
const isSuspending = (context: NodeContext): boolean => {
  const read = readerAt(context, 0);
  const isWanted = readText(read, 'operation') !== 'collect' && readText(read, 'waitMode') === 'suspend' && !isModelTool(context);
  if (isWanted && context.getInputData().length > 1) throw new TypeError('To suspend, loop over the items: one item at a time.');
  return isWanted;
};

/** The governed node. An error ends the execution; if the workflow continues after errors, n8n sends the item to the output of refusals. */
export class SvcAction {
  description = DESCRIPTION;

  async execute(this: NodeContext): Promise<Item[][]> {
    const outputs: Item[][] = OUTPUTS.map(() => []);
    const suspends = isSuspending(this);
    for (const [at, { json }] of this.getInputData().entries()) {
      const answer = await answerItem(this, at);
      if (suspends && answer.approvalId !== undefined) {
        await suspendExecution(this, answer.approvalId);
        return outputs;
      }
      const index = isModelTool(this) ? 0 : OUTPUTS.indexOf(answer.output);
      outputs[index]?.push({ json: { ...json, ...answer.json }, pairedItem: { item: at } });
    }
    return isModelTool(this) ? outputs.slice(0, 1) : outputs;
  }

  /** Resumes a suspended execution with what the gateway answers, whoever calls. Until it has decided, and on errors, the execution stays suspended. */
  async webhook(this: ResumeContext): Promise<WebhookResult> {
    const approvalId = readSuspension(this);
    if (approvalId === undefined) return respond(this, 409, 'The execution waits for no approval.');
    try {
      const governance = openClient(await this.getCredentials('svcAgentApi'));
      const request = readRequest((name, fallback) => this.getNodeParameter(name, fallback));
      const { output, json } = await collectApproval(governance, request, approvalId);
      if (output === 'waiting') return { webhookResponse: { decision: 'WAITING' } };
      const input = this.evaluateExpression('{{ $json }}', 0);
      const item = { json: { ...(isObject(input) ? input : {}), ...json }, pairedItem: { item: 0 } };
      const outputs = OUTPUTS.map((each) => (each === output ? [item] : []));
      return { workflowData: outputs, webhookResponse: { decision: output.toUpperCase() } };
    } catch {
      return respond(this, 502, 'The gateway did not decide.');
    }
  }
}
