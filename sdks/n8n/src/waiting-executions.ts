/** Resume addresses of executions that this process suspended, by approval. The nodes are bundled one by one, and share it by name. */
const PLACE = Symbol.for('n8n-nodes-svc-governance.waiting');
const WAITING_MAX = 10_000;
const RESUME_MS = 10_000;

const waitingExecutions = (): Map<string, string> => {
  const holder = globalThis as { [PLACE]?: Map<string, string> };
  holder[PLACE] ??= new Map();
  return holder[PLACE];
};

export const noteWaiting = (approvalId: string, resumeUrl: string): void => {
  const waiting = waitingExecutions();
  const [oldest] = waiting.keys();
  if (waiting.size >= WAITING_MAX && oldest !== undefined) waiting.delete(oldest);
  waiting.set(approvalId, resumeUrl);
};

/** The address at which n8n itself listens: its public one may not be reachable from its own network. */
const localUrl = (resumeUrl: string): URL => {
  const { pathname, search } = new URL(resumeUrl);
  const { N8N_PROTOCOL = 'http', N8N_PORT = '5678' } = process.env;
  return new URL(`${N8N_PROTOCOL}://127.0.0.1:${N8N_PORT}${pathname}${search}`);
};

/** Calls the resume address of the execution that waits for an approval. It asks the gateway itself; true if it continues. */
export const resumeWaiting = async (approvalId: string): Promise<boolean> => {
  const resumeUrl = waitingExecutions().get(approvalId);
  if (resumeUrl === undefined) return false;
  const response = await fetch(localUrl(resumeUrl), { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(RESUME_MS) });
  const { decision } = (await response.json()) as { readonly decision?: unknown };
  if (!response.ok || decision === 'WAITING') return false;
  waitingExecutions().delete(approvalId);
  return true;
};
