import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';

/** Names and numbers in a sentence. */
export type SentenceFacts = Readonly<Record<string, string>>;

type Says = {
  /** About one subject. */
  readonly one: (facts: SentenceFacts) => string;
  /** Words for this number of them, after "there" or alone. */
  readonly many: (count: number) => string;
  /** The page of the subject; the list of its kind if the notification is about several. */
  readonly page: (subjectId: string | null) => string;
};

const approvalPage = (approvalId: string | null): string =>
  approvalId === null ? buildConsolePath('approvals') : buildConsolePath('approval', { approvalId });
const webhookPage = (subscriptionId: string | null): string =>
  subscriptionId === null ? buildConsolePath('webhooks') : buildConsolePath('webhook', { subscriptionId });
const channelPage = (channelId: string | null): string =>
  channelId === null ? buildConsolePath('notificationChannels') : buildConsolePath('notificationChannel', { channelId });
const mcpServerPage = (serverId: string | null): string =>
  serverId === null ? buildConsolePath('mcpServers') : buildConsolePath('mcpServer', { serverId });
const incidentPage = (incidentId: string | null): string =>
  incidentId === null ? buildConsolePath('incidents') : buildConsolePath('incident', { incidentId });
const trustPage = (): string => buildConsolePath('trustProviders');
const inboxPage = (): string => buildConsolePath('inbox');

const plural = (one: string, more: string) => (count: number) => `${count} ${count === 1 ? one : more}`;
const DISABLED: Readonly<Record<string, string>> = {
  FAILING: 'was disabled: all deliveries failed for five days',
  HOLDER_CHANGED: 'was disabled: the account of its creator or last editor now belongs to another person',
  RECEIVER_GONE: 'was disabled: its receiver returned 410 (Gone)',
  RIGHTS_LOST: 'was disabled: its creator or last editor lacks the required permissions',
};
const CHANNEL_DISABLED: Readonly<Record<string, string>> = {
  ...DISABLED,
  FAILING: 'was disabled: all messages failed for a day',
  RECEIVER_GONE: 'was disabled: the chat service reported that the webhook no longer exists',
};

/** The result of an approval after people were notified that it waits. */
const BECAUSE: Readonly<Record<string, string>> = {
  answered: 'Your question was answered. ',
  escalated: 'The request was not decided in time and was escalated to you. ',
  handed_over: 'An approver reassigned a decision to you. ',
  reminder: 'This request expires soon and is undecided. ',
};

const SAYS: Readonly<Record<NotificationKind, Says>> = {
  approval_waiting: {
    one: ({ agent, tool, amount, who, expires_at, because }) =>
      `${BECAUSE[because ?? ''] ?? ''}${agent} requests approval to call ${tool}${amount ? ` for ${amount}` : ''}. Approvers: ${who}. Expires: ${expires_at}.`,
    many: plural('action waits for approval', 'actions wait for approval'),
    page: approvalPage,
  },
  approval_question: {
    one: ({ agent, tool }) =>
      `An approver has a question about the request of ${agent} for ${tool}. The agent, or a user for it, can answer.`,
    many: plural('question about an action is open', 'questions about actions are open'),
    page: approvalPage,
  },
  emergency: {
    one: ({ name, what, control, target }) =>
      control === 'break-glass'
        ? `Emergency access was granted to ${target}.`
        : control === 'break-glass-request'
          ? `${target} requests emergency access. Another person approves or denies it within 15 minutes.`
          : control !== undefined
            ? `The emergency control ${control} was executed on ${target}.`
            : what === 'agent'
              ? `The agent ${name} was suspended by the emergency stop.`
              : `The environment ${name} was paused by the emergency stop. No protected actions run in it until it is resumed.`,
    many: plural('emergency stop was used', 'emergency stops were used'),
    page: inboxPage,
  },
  incident_opened: {
    one: ({ title, severity }) => `An incident of severity ${severity} was opened: ${title}.`,
    many: plural('incident was opened', 'incidents were opened'),
    page: incidentPage,
  },
  webhook_failing: {
    one: ({ name, reason }) => `The webhook ${name} ${DISABLED[reason ?? ''] ?? 'failed to deliver an event after all attempts'}.`,
    many: plural('webhook fails', 'webhooks fail'),
    page: webhookPage,
  },
  channel_failing: {
    one: ({ name, reason }) => `The notification channel ${name} ${CHANNEL_DISABLED[reason ?? ''] ?? 'was disabled'}.`,
    many: plural('notification channel was disabled', 'notification channels were disabled'),
    page: channelPage,
  },
  mcp_server_quarantined: {
    one: ({ name }) =>
      `The MCP server ${name} was quarantined: it changed tools that were authorized. Calls to its tools are refused until you compare the definitions and release it.`,
    many: plural('MCP server was quarantined', 'MCP servers were quarantined'),
    page: mcpServerPage,
  },
  key_expiring: {
    one: ({ name, ends_at }) =>
      `The API key ${name} expires on ${ends_at}. Rotate it if it is still in use; requests with it will be refused after that.`,
    many: plural('API key is about to expire', 'API keys are about to expire'),
    page: inboxPage,
  },
  agent_expiring: {
    one: ({ name, ends_at }) =>
      `The agent ${name} expires on ${ends_at}. Its requests are refused permanently after that. Set a later expiry if it is still needed.`,
    many: plural('agent is about to expire', 'agents are about to expire'),
    page: inboxPage,
  },
  passport_expiring: {
    one: ({ name, ends_at }) => `The passport of the agent ${name} expires on ${ends_at} and was not renewed.`,
    many: plural('passport is about to expire', 'passports are about to expire'),
    page: inboxPage,
  },
  delegation_expiring: {
    one: ({ name, ends_at }) =>
      `A delegation to the agent ${name} expires on ${ends_at}. Requests that depend on it will be refused after that.`,
    many: plural('delegation is about to expire', 'delegations are about to expire'),
    page: inboxPage,
  },
  evidence_expiring: {
    one: ({ evidence, agent, ends_at }) =>
      `Trust evidence (${evidence}) of the agent ${agent} expires on ${ends_at}. Actions that require it are refused after that.`,
    many: plural('piece of trust evidence is about to expire', 'pieces of trust evidence are about to expire'),
    page: trustPage,
  },
};

/** Returns the text of a notification: about one subject, or a count. */
export const writeSentence = (
  kind: NotificationKind,
  { facts, count }: { readonly facts: SentenceFacts; readonly count: number | null },
): string => (count === null ? SAYS[kind].one(facts) : `${SAYS[kind].many(count)}, in addition to those sent individually.`);

/** Path of the console page that a notification links to. */
export const findSubjectPage = (kind: NotificationKind, subjectId: string | null): string => SAYS[kind].page(subjectId);

/** Several kinds in one line, in the order of the table: how many of each. */
export const writeSummary = (counts: ReadonlyMap<NotificationKind, number>): string =>
  (Object.keys(SAYS) as NotificationKind[])
    .flatMap((kind) => {
      const count = counts.get(kind) ?? 0;
      return count === 0 ? [] : [SAYS[kind].many(count)];
    })
    .join('; ');
