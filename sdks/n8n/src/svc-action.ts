import { randomUUID } from 'node:crypto';
import { type Answer, type Asked, askForAction, collectApproval, OUTPUTS } from './ask-gateway.ts';
import { DESCRIPTION } from './describe-node.ts';
import type { Item, NodeContext } from './node-context.ts';
import { openClient } from './open-client.ts';

const WAIT_SECONDS_MAX = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readParameters = (value: unknown): Readonly<Record<string, unknown>> => {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (!isObject(parsed)) throw new TypeError('Parameters must be a JSON object.');
  return parsed;
};

const readText = (context: NodeContext, name: string, at: number): string => String(context.getNodeParameter(name, at, '') ?? '');

const readRequest = (context: NodeContext, at: number): Asked => {
  const tool = readText(context, 'tool', at);
  if (tool === '') throw new TypeError('Tool is missing.');
  const amount = Number(context.getNodeParameter('amount', at, 0));
  const [currency, delegationId] = [readText(context, 'currency', at), readText(context, 'delegationId', at)];
  return {
    tool,
    parameters: readParameters(context.getNodeParameter('parameters', at, {})),
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
  const request = readRequest(context, at);
  if (readText(context, 'operation', at) === 'collect') return collectApproval(governance, request, readText(context, 'approvalId', at));
  const seconds = Math.min(Math.max(Number(context.getNodeParameter('waitSeconds', at, 0)) || 0, 0), WAIT_SECONDS_MAX);
  return askForAction(governance, request, { idempotencyKey: readKey(context, at), waitMs: seconds * 1_000 });
};

/** A tool of a model has one output, which only the model reads. */
const isModelTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/** The governed node. An error ends the execution; if the workflow continues after errors, n8n sends the item to the output of refusals. */
export class SvcAction {
  description = DESCRIPTION;

  async execute(this: NodeContext): Promise<Item[][]> {
    const outputs: Item[][] = OUTPUTS.map(() => []);
    for (const [at, { json }] of this.getInputData().entries()) {
      const answer = await answerItem(this, at);
      const index = isModelTool(this) ? 0 : OUTPUTS.indexOf(answer.output);
      outputs[index]?.push({ json: { ...json, ...answer.json }, pairedItem: { item: at } });
    }
    return isModelTool(this) ? outputs.slice(0, 1) : outputs;
  }
}
