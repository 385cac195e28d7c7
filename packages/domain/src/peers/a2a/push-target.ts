/** Address at which a partner receives push notifications, with the secrets that authenticate the gateway. */
export type PushTarget = {
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials: string };
};

const FINAL: ReadonlySet<string | null> = new Set([
  ...['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'],
]);

/** True for a state that a task never leaves. */
export const isFinalTaskState = (state: string | null): boolean => FINAL.has(state);
