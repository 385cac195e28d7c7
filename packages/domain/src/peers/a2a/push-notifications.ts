/** Methods of Agent2Agent about the push notifications of a task. */
export const PUSH_METHODS = {
  create: 'CreateTaskPushNotificationConfig',
  get: 'GetTaskPushNotificationConfig',
  list: 'ListTaskPushNotificationConfigs',
  delete: 'DeleteTaskPushNotificationConfig',
} as const;

const ALL: readonly unknown[] = Object.values(PUSH_METHODS);

export const isPushMethod = (method: unknown): boolean => ALL.includes(method);

/** Path at which the gateway receives the push notifications of a connection. */
export const buildNotificationsPath = (connectionId: string): string => `/gateway/v1/a2a/${connectionId}/notifications`;
