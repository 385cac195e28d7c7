import { verifyWebhook, WebhookNotVerified } from '@svc/sdk/webhooks/verify-webhook.ts';
import { resumeWaiting } from './waiting-executions.ts';
import { respond, type WebhookContext, type WebhookResult } from './webhook-context.ts';

const EVENTS = [
  { name: 'Approval given', value: 'approval.approved' },
  { name: 'Approval denied', value: 'approval.denied' },
  { name: 'Approval expired', value: 'approval.expired' },
  { name: 'Action blocked', value: 'action.blocked' },
  { name: 'Agent paused', value: 'agent.paused' },
] as const;

/** Ids of deliveries that started an execution, so that a redelivery or a copied request starts none. */
const SEEN_MAX = 10_000;
const seen = new Set<string>();

const noteDelivery = (id: string): boolean => {
  if (seen.has(id)) return false;
  const [oldest] = seen;
  if (seen.size >= SEEN_MAX && oldest !== undefined) seen.delete(oldest);
  seen.add(id);
  return true;
};

const secretsOf = ({ secret, previousSecret }: Readonly<Record<string, unknown>>): string[] =>
  [secret, previousSecret].filter((each): each is string => typeof each === 'string' && each !== '');

/** Resumes the execution that waits for the approval of an event. It asks the gateway, so that a wrong event resumes nothing. */
const resumeFor = async (event: { readonly subject?: { readonly id?: unknown } }): Promise<boolean> =>
  typeof event.subject?.id === 'string' && (await resumeWaiting(event.subject.id).catch(() => false));

/**
 * Starts a workflow for a delivery that the service signed. A delivery is a notification and permits nothing: connect a Governed action with the
 * operation Collect, which asks the gateway.
 */
export class SvcTrigger {
  description = {
    displayName: 'Governance event',
    name: 'svcTrigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts when the agent governance service reports a decision. Verifies its signature.',
    defaults: { name: 'Governance event' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'svcWebhookSecret', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'svc' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: EVENTS,
        default: ['approval.approved', 'approval.denied', 'approval.expired'],
        description: 'Other events are acknowledged and start nothing.',
      },
      {
        displayName: 'Resume suspended executions',
        name: 'resumes',
        type: 'boolean',
        default: true,
        description: 'Resumes the execution of this instance that waits for the approval. It asks the gateway before it continues.',
      },
    ],
  };

  async webhook(this: WebhookContext): Promise<WebhookResult> {
    const { headers, rawBody } = this.getRequestObject();
    if (rawBody === undefined) return respond(this, 400, 'The body is missing.');
    try {
      const secrets = secretsOf(await this.getCredentials('svcWebhookSecret'));
      const { eventId, eventType } = await verifyWebhook(rawBody, headers, secrets);
      const events = this.getNodeParameter('events', []);
      const isWanted = Array.isArray(events) && events.includes(eventType);
      if (!isWanted || !noteDelivery(eventId)) return { webhookResponse: { accepted: false } };
      const event = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
      const resumed = this.getNodeParameter('resumes', true) === true && (await resumeFor(event));
      return { workflowData: [[{ json: { ...event, svc: { resumed } } }]], webhookResponse: { accepted: true, resumed } };
    } catch (error) {
      if (error instanceof WebhookNotVerified) return respond(this, 401, error.message);
      throw error;
    }
  }
}
