/** The members of the webhook context of n8n that the trigger uses. */
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
