import type { Item, NodeContext } from './node-context.ts';

/** The members of the webhook context of n8n that the nodes use. */
export type WebhookContext = {
  getNodeParameter(name: string, fallback?: unknown): unknown;
  getCredentials(name: string): Promise<Readonly<Record<string, unknown>>>;
  getRequestObject(): {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    /** The bytes as they arrived. */
    readonly rawBody?: Uint8Array | string;
  };
  getResponseObject(): { writeHead(status: number, headers?: Readonly<Record<string, string>>): { end(body: string): unknown } };
};

/** The members of the context of a call that resumes an execution. */
export type ResumeContext = WebhookContext & Pick<NodeContext, 'evaluateExpression' | 'getNode'>;

/** The result of a webhook. Without `workflowData` nothing runs, and a suspended execution stays suspended. */
export type WebhookResult = { readonly noWebhookResponse: true } | { readonly workflowData?: Item[][]; readonly webhookResponse: object };

export const respond = (context: WebhookContext, status: number, message: string): WebhookResult => {
  context.getResponseObject().writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  return { noWebhookResponse: true };
};
