/** An item of n8n. */
export type Item = { readonly json: Readonly<Record<string, unknown>>; readonly pairedItem?: { readonly item: number } };

/** The members of the execution context of n8n that the node uses. It has no others, so that no dependency is needed. */
export type NodeContext = {
  getInputData(): readonly Item[];
  getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown;
  getCredentials(name: string): Promise<Readonly<Record<string, unknown>>>;
  getExecutionId(): string | undefined;
  getNode(): { readonly id: string; readonly type: string };
  getWorkflowDataProxy(itemIndex: number): { readonly $runIndex: number };
  evaluateExpression(expression: string, itemIndex: number): unknown;
  putExecutionToWait(until: Date): Promise<void>;
};
